// initial() makes a when active at the start by itself or in a vector, and not inside of a larger condition.
// expect at 0: n = 0
// expect n = 1
model M
  Integer n(start=0, fixed=true);
equation
  when initial() or time > 0.5 then n = pre(n)+1; end when;
  annotation(experiment(StopTime=1));
end M;
