// reinit(x, f(pre(x))): pre(x) is the value before the event.
// expect v = 0.5
// expect h = 0.1875
model M
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -2;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 1.25));
end M;
