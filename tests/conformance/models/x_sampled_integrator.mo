// A sampled controller u = k e of an integrator: x(k+1) = (1 - kT) x(k), ten ticks.
// expect x = 0.0009765625
// expect k = 11
// expect events = 10
model M
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
  Integer k(start = 0, fixed = true);
equation
  der(x) = u;
  when sample(0, 0.1) then
    u = -5*x;
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
