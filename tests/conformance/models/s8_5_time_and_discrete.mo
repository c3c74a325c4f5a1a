// A relation of time and a discrete variable.
// expect k = 4
model M
  Integer k(start = 1, fixed = true);
equation
  when time > 0.25*pre(k) then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
