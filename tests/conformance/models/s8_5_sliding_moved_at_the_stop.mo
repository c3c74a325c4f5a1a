// The surface moves at the very end, and once more at terminal(): x stays where it is, and both see it there.
// expect x = 0
// expect seen = 0
// expect last = 0
// expect r = 2
model M
  Real x(start = -0.5, fixed = true);
  discrete Real r(start = 0, fixed = true), seen(start = -7, fixed = true), last(start = -7, fixed = true);
equation
  der(x) = if x > r then -1 else 1;
  when time >= 1 then
    r = 1;
    seen = x;
  elsewhen terminal() then
    r = 2;
    last = x;
  end when;
  annotation(experiment(StopTime = 1));
end M;
