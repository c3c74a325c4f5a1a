// when a or b: the second does not activate it while the first is true.
// expect n = 1
model M
  Integer n(start = 0, fixed = true);
equation
  when time >= 0.25 or time >= 0.75 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
