// when initial(): active while initial values are sought.
// expect at 0: n = 5
// expect n = 5
model M
  Integer n(start = 4, fixed = true);
equation
  when initial() then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
