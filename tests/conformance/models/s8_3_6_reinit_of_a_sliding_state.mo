// x slides along x = 0 from t = 0.5 on; a reinit at t = 1 takes it off, and it falls back to slide again at t = 1.5.
// The rate that the when reads is that of the sliding motion.
// expect at 0.75: x = 0
// expect at 1: x = 0.5
// expect at 1.25: x = 0.25
// expect x = 0
// expect rate = 0
// expect events = 3
model M
  Real x(start = 0.5, fixed = true);
  discrete Real rate(start = -7, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  when time >= 1 then
    reinit(x, 0.5);
    rate = der(x);
  end when;
  annotation(experiment(StopTime = 3));
end M;
