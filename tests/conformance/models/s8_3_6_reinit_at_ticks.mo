// At the ticks 0.5, 1, 1.5, 2 the state is halved: 0.25, 0.375, 0.4375, 0.46875; before: 0.5, 0.75, 0.875, 0.9375.
// expect at 0.75: x = 0.5
// expect x = 0.46875
// expect sum = 3.0625
// expect events = 4
model M
  Real x(start = 0, fixed = true), sum;
  discrete Real k(start = 0, fixed = true);
equation
  der(x) = 1;
  sum = k + 0*x;
  when sample(0.5, 0.5) then
    k = pre(k) + x;
    reinit(x, x/2);
  end when;
  annotation(experiment(StopTime = 2));
end M;
