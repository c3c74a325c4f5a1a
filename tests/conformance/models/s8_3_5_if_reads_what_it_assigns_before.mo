// Up to 5 in five ticks, down to 1 in four more.
// expect n = 1
model M
  Integer n(start=0,fixed=true);
  Boolean up(start=true,fixed=true);
  Real x(start=0,fixed=true);
equation
  der(x) = 1;
  when sample(0.1,0.1) then
    if pre(n) >= 5 then up = false; else up = pre(up); end if;
    n = if up then pre(n)+1 else pre(n)-1;
  end when;
  annotation(experiment(StopTime=0.95));
end M;
