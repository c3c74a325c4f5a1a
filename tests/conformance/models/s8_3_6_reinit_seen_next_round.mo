// A reinit is seen in the next round.
// expect n = 1
// expect x = 5.5
// expect events = 1
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 0.5 then
    reinit(x, 5);
  end when;
  when x > 2 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
