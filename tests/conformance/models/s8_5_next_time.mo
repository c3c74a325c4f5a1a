// The next time is computed at the event: irregular sampling.
// expect n = 4
// expect next = 2
model M
  discrete Real next(start = 0.125, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  when time >= pre(next) then
    next = 2*pre(next);
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
