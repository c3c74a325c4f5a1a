// The run starts at StartTime, and so does everything.
// expect x = 2
// expect n = 1
// expect at 2.25: n = 0
model M
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when time >= 2.5 then
    n = 1;
  end when;
  annotation(experiment(StartTime = 2, StopTime = 3));
end M;
