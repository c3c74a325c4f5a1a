// terminate() in an if-equation ends the run where the branch becomes active.
// expect ends: far
// expect t9 = 0.5
model M
  Real x(start=0,fixed=true); Real t9 = time;
equation
  der(x) = 1;
  if x > 0.5 then terminate("far"); end if;
  annotation(experiment(StopTime=1));
end M;
