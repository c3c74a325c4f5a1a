// change(b) is true when b becomes true and when it becomes false.
// expect at 0.5: n = 1
// expect n = 2
model M
  Boolean u;
  Integer n(start = 0, fixed = true);
equation
  u = time > 0.25 and time < 0.75;
  when change(u) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
