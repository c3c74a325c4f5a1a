// A subscript that is in range only when it is used.
// expect y = 20
model M
  Real t[2] = {10, 20}; Integer k(start=0); discrete Real y(start=0);
equation
  when sample(0.1, 0.3) then k = if pre(k) == 2 then 0 else pre(k) + 1; end when;
  when k == 2 then y = t[k]; end when;
  annotation(experiment(StopTime=1));
end M;
