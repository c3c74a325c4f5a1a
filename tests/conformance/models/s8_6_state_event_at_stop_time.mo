// The same for an event of a state.
// expect n = 1
// expect events = 1
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 1 then
    n = 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
