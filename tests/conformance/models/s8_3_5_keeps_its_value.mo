// A discrete Real keeps its value between events.
// expect at 0.25: y = 3
// expect x = 1
model M
  Real x(start = 0, fixed = true);
  discrete Real y(start = 3, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    y = 10*x;
  end when;
  annotation(experiment(StopTime = 1));
end M;
