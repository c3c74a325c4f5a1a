// Relations whose roots coincide are one event.
// expect n = 1
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 2;
  when x > 0.5 and y > 1 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
