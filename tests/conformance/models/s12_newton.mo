// Heron's method until it has arrived.
// expect y = 1.4142135623730951
function root input Real a; output Real x; algorithm x := a; while abs(x*x - a) > 1e-13 loop x := 0.5*(x + a/x); end while; end root;
model M
  Real t(start=1, fixed=true);
  Real y = root(t);
equation
  der(t) = 1;
  annotation(experiment(StopTime=1));
end M;
