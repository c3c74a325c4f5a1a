// A valve that opens and closes by level.
// expect n = 3
// expect h = 1.5
model M
  Real h(start = 1, fixed = true);
  Boolean open(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = 1 - (if open then 3 else 0);
  open = h > 2 or (pre(open) and h > 1);
  when edge(open) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 5));
end M;
