// A block on a belt with dry friction: it sticks until the spring pulls with 1 at t = 2, then v = (1 - cos(t - 2))/2.
// expect at 1: f = 0.5
// expect at 1: v = 0
// expect at 2: s = 1
// expect s = 1.0705600040299337
// expect v = 0.99499624830022274
// expect f = 1
model M
  Real s(start = 0, fixed = true), v(start = 0, fixed = true), f;
equation
  der(s) = 0.5 - v;
  der(v) = s - f;
  f = sign(v);
  annotation(experiment(StopTime = 5));
end M;
