// A when of the event that moves the surface sees the state where it is, x = 0 and y = 2, and not at the new root; the
// relation has a side again in this round, so that der(x) is 1.
// expect at 0.75: x = 0
// expect seen = 0
// expect seen2 = 2
// expect rate = 1
// expect x = 1
model M
  Real x(start = -0.5, fixed = true), y;
  discrete Real r(start = 0, fixed = true), seen(start = -7, fixed = true), seen2(start = -7, fixed = true);
  discrete Real rate(start = -7, fixed = true);
equation
  der(x) = if x > r then -1 else 1;
  y = x + 2;
  when time >= 1 then
    r = 1;
    seen = x;
    seen2 = y;
    rate = der(x);
  end when;
  annotation(experiment(StopTime = 3));
end M;
