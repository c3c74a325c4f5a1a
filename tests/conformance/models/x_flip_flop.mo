// Set at sin > 0.5, reset at sin < -0.5, three times within 16 radians.
// expect q = true
// expect n = 3
model M
  Boolean s = sin(20*time) > 0.5, r = sin(20*time) < -0.5, q(start=false, fixed=true); Integer n(start=0);
equation
  q = s or (pre(q) and not r);
  when q then n = pre(n)+1; end when;
  annotation(experiment(StopTime=0.8));
end M;
