// A discrete start that follows from a continuous variable.
// expect at 0.25: n = 2
// expect n = 12
model M
  Real x(start = 2.5, fixed = true);
  Integer n;
initial equation
  n = integer(x);
equation
  der(x) = 1;
  when x > 3 then
    n = pre(n) + 10;
  end when;
  annotation(experiment(StopTime = 1));
end M;
