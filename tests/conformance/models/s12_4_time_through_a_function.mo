// A branch on an input that is time is found as an event.
// expect y = 1
// expect n = 1
model M
  function step input Real t; output Real y; algorithm y := if t > 0.5 then 1 else 0; end step;
  Real y; Integer n(start=0,fixed=true); Real x(start=0,fixed=true);
equation
  y = step(time); der(x) = y;
  when x > 0.25 then n = pre(n)+1; end when;
  annotation(experiment(StopTime=1));
end M;
