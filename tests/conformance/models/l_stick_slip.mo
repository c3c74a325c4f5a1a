// Sticks until R = x = 3/2 at t = 7.5; slips with x = 1 + cos(s)/2 + sin(s)/5 until v = 1/5 again, where tan(s/2) = -5/2
// and x = 1/2; from then on 5 time units of sticking and s of slipping.
// expect at 5: x = 1
// expect at 5: R = 1
// expect at 8: R = 1
// expect at 8: x = 1.5346763887
// expect at 8: v = -0.0641962567
// expect at 11.4: stuck = 0
// expect at 11.41: stuck = 1
// expect at 16.4: stuck = 1
// expect at 16.41: stuck = 0
// expect at 15: R = 1.2194789184
// expect x = 0.4630093367
model M
  Real x(start = 0, fixed = true), v(start = 0.2, fixed = true), R;
  Boolean stuck(start = true, fixed = true);
  Integer side(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = R - x;
  if stuck then v = 0.2; else R = side; end if;
  when R > 1.5 then
    stuck = false;
    side = 1;
  elsewhen R < -1.5 then
    stuck = false;
    side = -1;
  elsewhen not pre(stuck) and side*(v - 0.2) > 0 then
    stuck = true;
    side = pre(side);
  end when;
  annotation(experiment(StopTime = 20));
end M;
