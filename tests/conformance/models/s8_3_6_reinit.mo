// reinit gives a state a new value; other states keep theirs.
// expect y = 0.9
// expect x = 0.4
// expect events = 2
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 1;
  when x >= 0.5 then
    reinit(x, 0.25);
  end when;
  annotation(experiment(StopTime = 0.9));
end M;
