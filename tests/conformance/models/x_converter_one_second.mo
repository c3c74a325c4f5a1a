// A converter at 10 kHz for one second, half on: 10000 periods with two switchings each.
// expect n = 10000
// expect events = 20000
// expect q = 0.5
model M
  parameter Real f = 10000;
  Real q(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean on;
equation
  on = mod(f*time, 1) < 0.5;
  der(q) = if on then 1 else 0;
  when on then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
