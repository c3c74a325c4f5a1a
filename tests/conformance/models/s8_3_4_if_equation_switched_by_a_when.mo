// The state of a when chooses the branch; y jumps from x to 2 - x at x = 0.75 and both are seen.
// expect at 0.5: y = 0.5
// expect at 1: y = 1
// expect y = 0.5
// expect n = 1
model M
  Real x(start = 0, fixed = true), y;
  Boolean up(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  if up then
    y = x;
  else
    y = 2 - x;
  end if;
  when x >= 0.75 then
    up = false;
  end when;
  when y > 1.1 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1.5));
end M;
