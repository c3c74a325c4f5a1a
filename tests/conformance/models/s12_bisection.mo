// A loop that ends by a condition on Reals.
// expect x = 1.4142135623730951
function bis input Real c; output Real m; protected Real a, b; algorithm
  a := 0; b := 2;
  while b - a > 1e-12 loop
    m := (a + b)/2;
    if m^2 > c then b := m; else a := m; end if;
  end while;
  m := (a + b)/2;
end bis;
model M
  Real c(start=1, fixed=true); Real x = bis(c);
equation
  der(c) = 1;
  annotation(experiment(StopTime = 1));
end M;
