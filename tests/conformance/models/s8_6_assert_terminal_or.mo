// An assertion that reads terminal() is judged at the end.
// expect fails: too small
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(not terminal() or x > 2, "too small");
  annotation(experiment(StopTime = 1));
end M;
