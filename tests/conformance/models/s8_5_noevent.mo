// noEvent makes no events.
// expect y = 1
// expect events = 0
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = noEvent(if x > 0.5 then 1 else 1);
  annotation(experiment(StopTime = 1));
end M;
