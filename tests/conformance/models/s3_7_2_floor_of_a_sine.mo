// Up and down: integer(2.5*sin) goes from 0 to 2, to -3 and back to -1.
// expect at 0.25: k = 2
// expect at 0.75: k = -3
// expect n = 9
model M
  Real y;
  Integer n(start = 0, fixed = true);
  Integer k;
equation
  y = 2.5*sin(6.283185307179586*time);
  k = integer(y);
  when change(k) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 0.99));
end M;
