// A pulse much shorter than any step is seen.
// expect n = 1
// expect events = 2
model M
  Integer n(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(y) = 1;
  when time > 0.5 and time < 0.5000001 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
