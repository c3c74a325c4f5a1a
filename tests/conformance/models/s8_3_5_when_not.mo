// Active where b becomes false; edge(not b) is the same.
// expect n = 1
// expect m = 1
model M
  Boolean b = time < 1, c = not b;
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  when not b then
    n = pre(n) + 1;
  end when;
  when edge(c) then
    m = pre(m) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end M;
