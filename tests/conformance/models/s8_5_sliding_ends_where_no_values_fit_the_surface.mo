// From t = 0.5 the solution slides along y = 0 at x = 0.5. At t = 1 another condition takes it off: on the surface x
// would have to be -2, where its branch is another one, so that no value fits. Off it x goes on falling, y = x + 2 + s,
// and from t = 2.5 on y = 3 + s.
// expect at 2: x = -0.5
// expect at 2: y = 2.5
// expect x = -1.5
// expect y = 5
// expect s = 2
model M
  Real y;
  Real x(start = 1, fixed = true), s(start = -1, fixed = true);
equation
  y = (if x > -1 then x else 1) - (if s > 0 then -2 - s else 0.5);
  der(x) = if y > 0 then -1 else 1;
  der(s) = 1;
  annotation(experiment(StopTime = 3));
end M;
