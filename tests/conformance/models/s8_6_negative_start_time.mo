// Times may be negative.
// expect at -0.75: n = 1
// expect n = 5
model M
  Integer n(start = 0, fixed = true);
equation
  when sample(-1, 0.5) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StartTime = -1, StopTime = 1));
end M;
