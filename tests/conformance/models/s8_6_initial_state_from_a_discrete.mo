// A continuous start that follows from a discrete variable.
// expect x = 6
// expect n = 0
model M
  parameter Integer p = 3;
  Integer n(start = p, fixed = true);
  Real x;
initial equation
  x = 2*n;
equation
  der(x) = 0;
  when time > 0.5 then
    n = 0;
  end when;
  annotation(experiment(StopTime = 1));
end M;
