// A sampled PI controller with a plant of first order: x(k+1) = a x(k) + (1 - a) u(k) with a = exp(-0.1), eleven ticks.
// expect x = 0.9866619606793541
// expect k = 11
// expect events = 10
model M
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), I(start = 0, fixed = true);
  Integer k(start = 0, fixed = true);
equation
  der(x) = -x + u;
  when sample(0, 0.1) then
    I = pre(I) + 0.1*(1 - x);
    u = 2*(1 - x) + 3*I;
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
