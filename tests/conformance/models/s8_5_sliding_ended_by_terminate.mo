// The event that ends the run moves the surface, too.
// expect ends: x = 0
// expect x = 0
// expect r = 1
model M
  Real x(start = -0.5, fixed = true);
  discrete Real r(start = 0, fixed = true);
equation
  der(x) = if x > r then -1 else 1;
  when time >= 1 then
    r = 1;
    terminate("x = " + String(abs(x), format = ".0f"));
  end when;
  annotation(experiment(StopTime = 3));
end M;
