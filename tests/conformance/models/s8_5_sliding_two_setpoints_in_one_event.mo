// The setpoint moves in the first round and back in the second one: x is seen at 0 in both, and goes on to slide.
// expect first = 0
// expect second = 0
// expect x = 0
// expect r = 0
// expect rate = 0.5
model M
  Real x(start = 0, fixed = true), u;
  discrete Real r(start = 0, fixed = true), first(start = -7, fixed = true), second(start = -7, fixed = true);
  discrete Real rate(start = -7, fixed = true);
equation
  u = if x > r then -1 else 1;
  der(x) = u + 0.5;
  when time >= 1 then
    r = 1;
    first = x;
  elsewhen pre(r) == 1 then
    r = 0;
    second = x;
  elsewhen time >= 2 then
    r = 0;
    rate = -u;
  end when;
  annotation(experiment(StopTime = 3));
end M;
