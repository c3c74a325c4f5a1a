// terminate at the start ends the run successfully.
// expect ends: at once
// expect x = 3
model M
  Real x(start = 3, fixed = true);
equation
  der(x) = 1;
  when initial() then
    terminate("at once");
  end when;
  annotation(experiment(StopTime = 1));
end M;
