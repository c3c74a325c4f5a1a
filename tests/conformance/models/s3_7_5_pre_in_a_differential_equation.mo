// pre(n) is n between events.
// expect x = 1
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = pre(n);
  when time >= 1 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end M;
