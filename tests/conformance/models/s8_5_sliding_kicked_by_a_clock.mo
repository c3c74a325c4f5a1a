// Kicks of 0.25 and 0.5 at t = 1 and 2 from rest at x = 0; each is used up with slope -1.
// expect at 0.75: x = 0
// expect at 1.125: x = 0.125
// expect at 2: x = 0.5
// expect at 2.25: x = 0.25
// expect x = 0
// expect rates = 0
// expect k = 2
model M
  Real x(start = 0.5, fixed = true);
  Integer k(start = 0, fixed = true);
  discrete Real rates(start = 0, fixed = true);
equation
  der(x) = -sign(x);
  when sample(1, 1) then
    k = pre(k) + 1;
    rates = pre(rates) + abs(der(x));
    reinit(x, 0.25*k);
  end when;
  annotation(experiment(StopTime = 2.75));
end M;
