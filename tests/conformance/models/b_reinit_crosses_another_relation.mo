// The reinit makes y = x^2 pass 4, which the next round of the same event sees.
// expect n = 1
// expect at 1: y = 9
// expect events = 1
model M
  Real x(start = 0, fixed = true), y;
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  y = x^2;
  when time >= 1 then
    reinit(x, 3);
  end when;
  when y > 4 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1.5));
end M;
