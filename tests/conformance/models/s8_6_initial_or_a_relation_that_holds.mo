// time >= 0 holds at the start and never becomes true; initial() is what makes the first when active, once.
// expect n = 1
// expect m = 0
model M
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  when {initial(), time >= 0} then
    n = pre(n) + 1;
  end when;
  when time >= 0 then
    m = pre(m) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
