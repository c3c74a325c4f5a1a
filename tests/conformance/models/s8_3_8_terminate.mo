// terminate ends the run successfully.
// expect ends: enough
// expect x = 0.5
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 0.5 then
    terminate("enough");
  end when;
  annotation(experiment(StopTime = 1));
end M;
