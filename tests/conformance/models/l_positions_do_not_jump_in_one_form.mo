// Both branches have the same form, of index 3; the second one has its floor elsewhere.
// expect fails: the event makes a constraint on positions active that does not hold: it is off by 1
model M
  Real x(start = 0, fixed = true), y, u(start = 1, fixed = true), v, force;
  Boolean floor(start = false, fixed = true);
equation
  der(x) = u; der(y) = v;
  der(u) = if floor then 0 else -force;
  der(v) = -9.81 - force;
  if floor then
    y = -1;
  else
    x + y = 1;
  end if;
  when y < 0 then floor = true; end when;
  annotation(experiment(StopTime = 2));
end M;
