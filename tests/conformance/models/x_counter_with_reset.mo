// A counter that starts again at four.
// expect at 0.75: n = 3
// expect n = 2
// expect full = 2
model M
  Integer n(start = 0, fixed = true), full(start = 0, fixed = true);
equation
  when sample(0.1, 0.1) then
    n = if pre(n) == 3 then 0 else pre(n) + 1;
  end when;
  when n == 0 then
    full = pre(full) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
