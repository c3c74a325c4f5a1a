// Two reinits of one event do not see each other.
// expect x = 2
// expect y = 1
model M
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = 0;
  der(y) = 0;
  when time >= 0.5 then
    reinit(x, y);
    reinit(y, x);
  end when;
  annotation(experiment(StopTime = 1));
end M;
