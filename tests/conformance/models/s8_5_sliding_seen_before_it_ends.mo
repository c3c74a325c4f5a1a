// The surface moves in the second round of an event: in the first one the block still sticks, friction = 0.25 = F, and
// pre(friction) in the second one is that, while friction itself is that of a block that slips, -1 (v = 0 < w = 1).
// expect first = 0.25
// expect before = 0.25
// expect after = -1
// expect at 1: v = 0
// expect at 1.4: v = 0.5
// expect v = 1
model M
  parameter Real F = 0.25;
  Real v(start = 0, fixed = true), friction;
  discrete Real w(start = 0, fixed = true), first(start = -7, fixed = true);
  discrete Real before(start = -7, fixed = true), after(start = -7, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  friction = if v > w then 1 else -1;
  der(v) = F - friction;
  when time >= 1 then
    n = pre(n) + 1;
    first = friction;
  end when;
  when pre(n) > 0 then
    w = 1;
    before = pre(friction);
    after = friction;
  end when;
  annotation(experiment(StopTime = 3));
end M;
