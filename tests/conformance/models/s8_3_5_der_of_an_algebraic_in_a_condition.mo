// der(y) = 8 cos(4 t) becomes negative at t = pi/8.
// expect n = 1
// expect at 0.39: n = 0
// expect at 0.4: n = 1
model M
  Real x(start = 0, fixed = true), y;
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  y = 2*sin(4*x);
  when der(y) < 0 then
    n = pre(n) + 1;
  end when;
end M;
