// n = k and k = 0.5 n + x: the value depends on itself, and is not taken from before the event.
// expect fails: depends on itself
model M
  discrete Real n(start=0,fixed=true); Real k; Real x(start=0,fixed=true);
equation
  der(x)=1; k = 0.5*n + x;
  when time > 0.5 then n = k; end when;
  annotation(experiment(StopTime=1));
end M;
