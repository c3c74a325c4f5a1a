// integer(time*10) counts tenths exactly.
// expect at 0.35: k = 3
// expect k = 10
// expect n = 10
model M
  Integer k, n(start = 0, fixed = true);
equation
  k = integer(10*time);
  when change(k) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
