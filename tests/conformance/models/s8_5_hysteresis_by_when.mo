// Two whens of one variable are one when with elsewhen.
// expect at 0.25: on = true
// expect at 0.5: on = true
// expect at 0.75: on = false
model M
  Real x;
  Boolean on(start = false, fixed = true);
equation
  x = sin(6.283185307179586*time);
  when x > 0.5 then
    on = true;
  elsewhen x < -0.5 then
    on = false;
  end when;
  annotation(experiment(StopTime = 0.9));
end M;
