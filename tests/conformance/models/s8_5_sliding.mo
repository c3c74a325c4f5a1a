// Both sides push to x = 0: there the solution stays, with 0.5 + (1 - 2 a) = 0, so a = 3/4 of the first branch.
// x comes to 0 at t = 2, and y = 3 t before it and grows by 3/4 * 3 + 1/4 * 1 = 2.5 after it.
// expect at 1: x = 0.5
// expect x = 0
// expect y = 8.5
// expect events = 1
model M
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 0.5 + (if x > 0 then -1 else 1);
  der(y) = if x > 0 then 3 else 1;
  annotation(experiment(StopTime = 3));
end M;
