// The ball meets the wall at the tick: what the tick reads is what was before the reinit, which the next round sees.
// expect seen = -1
// expect n = 1
// expect h = 1
// expect v = 1
model M
  Real h(start = 1, fixed = true), v(start = -1, fixed = true);
  discrete Real seen(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = 0;
  when h <= 0 then
    reinit(v, -pre(v));
    n = pre(n) + 1;
  end when;
  when sample(1, 5) then
    seen = v;
  end when;
  annotation(experiment(StopTime = 2));
end M;
