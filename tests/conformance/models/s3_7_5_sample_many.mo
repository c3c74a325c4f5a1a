// A thousand ticks, none lost.
// expect k = 1001
model M
  Integer k(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0, 0.001) then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
