// A when may make its own condition true again, through false, as long as it comes to an end.
// expect k = 10
model M
  Integer k(start = 0, fixed = true);
  Boolean go(start = false, fixed = true);
equation
  when {time >= 0.5, pre(go)} then
    k = pre(k) + 1;
  end when;
  go = time >= 0.5 and k < 10 and not pre(go);
  annotation(experiment(StopTime = 1));
end M;
