// sample(0, 0.1) ticks at the start and at every tenth, the end included.
// expect at 0.05: k = 1
// expect at 0.55: k = 6
// expect k = 11
model M
  Integer k(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
