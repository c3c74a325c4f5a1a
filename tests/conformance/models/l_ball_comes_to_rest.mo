// Bounces at T, T + 2 T e, T + 2 T (e + e^2), ... with T = sqrt(2/g), until the ball is slow enough to stay; lifted off
// again where the floor would have to pull: a = 2 g (t - 3.5) from t = 3.5 on.
// expect at 1.3404: resting = 0
// expect at 1.3405: resting = 1
// expect at 2: h = 0
// expect at 2: N = 19.62
// expect at 3.25: N = 9.81
// expect at 3.4999: resting = 1
// expect at 3.5001: resting = 0
// expect h = 0.40875
// expect v = 2.4525
// expect N = 0
model M
  parameter Real g = 9.81, e = 0.5, m = 2;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), N, pull;
  Boolean resting(start = false, fixed = true);
equation
  der(h) = v;
  m*der(v) = N - m*g + pull;
  pull = if time < 3 then 0 else 2*m*g*(time - 3);
  if resting then h = 0; else N = 0; end if;
  when h < 0 then
    resting = v > -0.1;
    reinit(v, if v > -0.1 then 0 else -e*v);
  elsewhen N < 0 then
    resting = false;
  end when;
  annotation(experiment(StopTime = 4));
end M;
