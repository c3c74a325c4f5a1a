// Relations and other discrete variables change at events only, so their functions may be the value of a discrete one.
// expect at 0.5: a = 2
// expect a = 3
// expect b = 10
// expect y = 13
model M
  discrete Real a = if time > 1 then 3 else 2;
  discrete Real b;
  Integer n(start = 0, fixed = true);
  Real y = a + b;
equation
  b = 10*n;
  when time >= 1.5 then
    n = 1;
  end when;
  annotation(experiment(StopTime = 2));
end M;
