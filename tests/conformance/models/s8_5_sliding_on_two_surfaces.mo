// a comes to 0 at t = 1 and b at t = 2. c grows by 2 until t = 1, by 2/2 until t = 2, then by 2/2 + 1/2.
// expect at 1.5: a = 0
// expect at 1.5: b = 0.5
// expect a = 0
// expect b = 0
// expect c = 4.5
// expect events = 2
model M
  Real a(start = 1, fixed = true), b(start = 2, fixed = true), c(start = 0, fixed = true);
equation
  der(a) = if a > 0 then -1 else 1;
  der(b) = if a + b > 0 then -1 else 1;
  der(c) = (if a > 0 then 2 else 0) + (if a + b > 0 then 0 else 1);
  annotation(experiment(StopTime = 3));
end M;
