// The event is done to its end before the run ends, and terminal() comes after it.
// expect ends: far enough
// expect x = 0
// expect n = 1
// expect last = 7
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), last(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 1 then
    reinit(x, 0);
    n = pre(n) + 1;
    terminate("far enough");
  end when;
  when terminal() then
    last = 7;
  end when;
  annotation(experiment(StopTime = 3));
end M;
