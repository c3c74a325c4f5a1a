// initial algorithm gives discrete variables their first values.
// expect at 0.25: k = 6
// expect n = 8
// expect k = 7
model M
  Integer n, k;
  Real x(start = 0, fixed = true);
initial algorithm
  n := 2;
  k := 3*n;
equation
  der(x) = 1;
  when x > 0.5 then
    n = pre(n) + pre(k);
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
