// Two blocks stick; the surface of one moves, which a when sees as it was, and the other one goes on to stick with the
// friction that it had.
// expect seen = 0
// expect other = 0.5
// expect a = 1
// expect at 1.5: a = 0.25
// expect b = 0
// expect f = 0.5
model M
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), f;
  discrete Real r(start = 0, fixed = true), seen(start = -7, fixed = true), other(start = -7, fixed = true);
equation
  der(a) = (if a > r then -1 else 1) - 0.5;
  f = if b > 0 then 1 else -1;
  der(b) = 0.5 - f;
  when time >= 1 then
    r = 1;
    seen = a;
    other = f;
  end when;
  annotation(experiment(StopTime = 4));
end M;
