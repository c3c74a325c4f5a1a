// Other events do not hide that bounces accumulate.
// expect fails: accumulate
model M
  Real h(start=1, fixed=true), v(start=0, fixed=true); Integer n(start=0);
equation
  der(h) = v; der(v) = -9.81;
  when h <= 0 then reinit(v, -0.7*pre(v)); end when;
  when sample(0,0.1) then n = pre(n)+1; end when;
  annotation(experiment(StopTime=5));
end M;
