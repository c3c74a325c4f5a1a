// A step never jumps over a root of a function of time: 1592 pulses.
// expect n = 1592
model M
  Integer n(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(y) = 1;
  when sin(1000*time) > 0.999999 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 10));
end M;
