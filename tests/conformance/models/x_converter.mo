// A converter at 10 kHz: 100 periods, half on.
// expect n = 99
// expect events = 199
model M
  Real i(start = 0, fixed = true);
  Integer k, n(start = 0, fixed = true);
  Boolean on;
equation
  k = integer(10000*time);
  on = 10000*time - k < 0.5;
  der(i) = if on then 1 else -1;
  when on then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 0.00996));
end M;
