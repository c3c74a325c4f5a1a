// A when-clause counts also where nothing is integrated.
// expect at 0.25: n = 0
// expect n = 1
// expect u = true
// expect events = 1
model M
  Boolean u;
  Integer n(start = 0, fixed = true);
equation
  u = time > 0.5;
  when u then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
