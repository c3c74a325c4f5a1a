// The same beside a differential equation.
// expect x = 2
model M
  Real x(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
equation
  der(x) = 2;
  when terminal() then
    last = x;
  end when;
  annotation(experiment(StopTime = 1));
end M;
