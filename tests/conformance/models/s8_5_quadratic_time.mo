// Both roots of a parabola of time.
// expect at 0.3: n = 1
// expect n = 11
model M
  Integer n(start = 0, fixed = true);
equation
  when (time - 0.25)*(time - 0.5) < 0 then
    n = pre(n) + 1;
  elsewhen (time - 0.25)*(time - 0.5) > 0 then
    n = pre(n) + 10;
  end when;
  annotation(experiment(StopTime = 1));
end M;
