// q is true from 0 to 1, false to 2, true to 3, and false at the tick at StopTime.
// expect at 1.5: x = 1
// expect x = 2
// expect q = false
// expect events = 3
model M
  Real x(start = 0, fixed = true);
  Boolean q(start = false, fixed = true);
equation
  when sample(0, 1) then
    q = not pre(q);
  end when;
  der(x) = if q then 1 else 0;
  annotation(experiment(StopTime = 3));
end M;
