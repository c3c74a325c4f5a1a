// Two reinits in two rounds of one event: the second one reads what the first one made, and the friction in between is
// that of a block that slips to the right, 1.
// expect between = 1
// expect at 1: v = 3
// expect v = 0
// expect x = 6
model M
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), friction;
  discrete Real between(start = -7, fixed = true);
  Boolean kicked(start = false, fixed = true);
equation
  der(x) = v;
  friction = if v > 0 then 1 else -1;
  der(v) = 0.25 - friction;
  when time >= 1 then
    reinit(v, 1);
    kicked = true;
  end when;
  when pre(kicked) then
    reinit(v, v + 2);
    between = friction;
  end when;
  annotation(experiment(StopTime = 9));
end M;
