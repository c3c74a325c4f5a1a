// terminal() is true in one last event.
// expect at 0.5: n = 0
// expect n = 1
model M
  Integer n(start = 0, fixed = true);
equation
  when terminal() then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
