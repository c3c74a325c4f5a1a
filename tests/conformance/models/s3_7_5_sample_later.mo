// sample begins at its first argument.
// expect at 0.3: k = 0
// expect at 0.5: k = 1
// expect at 0.7: k = 2
// expect k = 3
model M
  Integer k(start = 0, fixed = true);
equation
  when sample(0.35, 0.25) then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
