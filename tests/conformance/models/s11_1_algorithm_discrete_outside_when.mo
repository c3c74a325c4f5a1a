// A discrete variable that an algorithm assigns outside of when.
// expect at 0.25: n = 1
// expect n = 6
model M
  Integer n;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  n := 1;
  if x > 0.5 then
    n := n + 5;
  end if;
  annotation(experiment(StopTime = 1));
end M;
