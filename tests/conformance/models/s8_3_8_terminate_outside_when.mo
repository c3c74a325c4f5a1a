// terminate outside of when ends the run as soon as it is reached.
// expect ends: there
// expect x = 0.5
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  if x > 0.5 then
    terminate("there");
  end if;
  annotation(experiment(StopTime = 1));
end M;
