// The same inside noEvent: relations that a solution crawls along become events.
// x comes to 0 at t = 2, and y = 3 t before it and grows by 3/4 * 3 + 1/4 * 1 = 2.5 after it.
// expect at 1: x = 0.5
// expect x = 0
// expect y = 8.5
model M
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = noEvent(0.5 + (if x > 0 then -1 else 1));
  der(y) = noEvent(if x > 0 then 3 else 1);
  annotation(experiment(StopTime = 3));
end M;
