// s = sample(...) is true in the first round of its events.
// expect at 0.25: k = 1
// expect at 0.25: s = false
// expect k = 3
model M
  Boolean s;
  Integer k(start = 0, fixed = true);
equation
  s = sample(0, 0.5);
  when s then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
