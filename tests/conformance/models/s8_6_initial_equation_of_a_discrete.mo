// initial equation n = ...: gives a discrete variable its first value.
// expect at 0.25: n = 3
// expect n = 4
model M
  Integer n;
  Real x(start = 0, fixed = true);
initial equation
  n = 3;
equation
  der(x) = 1;
  when x > 0.5 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
