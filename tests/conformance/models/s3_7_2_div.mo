// div rounds to zero, and jumps at events.
// expect at 0: y = -2
// expect at 0.4: y = 0
// expect at 0.6: y = 0
// expect at 0.8: y = 1
// expect y = 2
model M
  Real x(start = -1.1, fixed = true), y;
equation
  der(x) = 2.2;
  y = div(x, 0.5);
  annotation(experiment(StopTime = 1));
end M;
