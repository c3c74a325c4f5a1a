// Sliding along x0 + x1 = 0 the solution comes to x1 = 0 at t = 4. Beyond, the first weight would be used up, and still
// both sides push: it stays on both surfaces, with weights 1/2 and 1/7, and no state jumps. z = 2 + 3/4 ln 3.
// expect at 4: x1 = 0
// expect x0 = 0
// expect x1 = 0
// expect z = 2.8239592165010821
// expect q = 0.2857142857142857
model M
  Real x0(start = 2, fixed = true), x1(start = -1, fixed = true);
  Real z(start = 0, fixed = true), q(start = 0, fixed = true);
equation
  der(x0) = if x1 > 0 then 3 else -0.5;
  der(x1) = if x0 + x1 > 0 then x0 + x1 - 1 else 1;
  der(z) = if x0 + x1 > 0 then 1 else 0;
  der(q) = if x1 > 0 then 1 else 0;
  annotation(experiment(StopTime = 6));
end M;
