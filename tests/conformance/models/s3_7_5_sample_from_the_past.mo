// Ticks before the start of the run are over.
// expect k = 3
model M
  Integer k(start = 0, fixed = true);
equation
  when sample(0, 0.25) then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StartTime = 0.45, StopTime = 1));
end M;
