// edge(b) = b and not pre(b), where nothing is integrated.
// expect n = 1
model M
  Boolean u;
  Integer n(start = 0, fixed = true);
equation
  u = time > 0.5;
  when edge(u) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
