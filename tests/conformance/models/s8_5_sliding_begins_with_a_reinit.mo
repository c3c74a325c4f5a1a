// Where sliding begins the friction becomes 1/2, and a when that waits for this sets the state back: at t = 1 and t = 3.
// expect at 1: x = 1
// expect at 2: x = 0.5
// expect at 3: x = 1
// expect x = 0.5
// expect n = 2
model M
  Real x(start = 0.5, fixed = true), f;
  Integer n(start = 0, fixed = true);
equation
  f = if x > 0 then 1 else -1;
  der(x) = 0.5 - f;
  when abs(f) < 0.9 then
    n = pre(n) + 1;
    reinit(x, 1);
  end when;
  annotation(experiment(StopTime = 4));
end M;
