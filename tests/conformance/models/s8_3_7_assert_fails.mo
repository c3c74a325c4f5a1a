// assert ends the run with its message.
// expect fails: x is large
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.5, "x is large");
  annotation(experiment(StopTime = 1));
end M;
