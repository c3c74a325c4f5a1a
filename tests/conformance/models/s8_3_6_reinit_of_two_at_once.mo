// A collision: two velocities change together.
// expect v1 = -1
// expect v2 = 1
// expect n = 1
// expect x1 = 0
model M
  Real x1(start = 0, fixed = true), x2(start = 1, fixed = true), v1(start = 1, fixed = true), v2(start = -1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = 0;
  der(v2) = 0;
  when x1 >= x2 then
    reinit(v1, pre(v2));
    reinit(v2, pre(v1));
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
