// A state machine with times that depend on the state.
// expect at 0.35: s = 2
// expect at 0.5: s = 3
// expect at 0.7: s = 1
// expect at 0.85: s = 2
model M
  Integer s(start = 1, fixed = true);
  discrete Real next(start = 0.3, fixed = true);
equation
  when time >= pre(next) then
    s = if pre(s) == 3 then 1 else pre(s) + 1;
    next = pre(next) + (if s == 2 then 0.1 else 0.2);
  end when;
  annotation(experiment(StopTime = 0.88));
end M;
