// pre(v) = v.start at the start.
// expect at 0.25: n = 7
// expect n = 8
model M
  Integer n(start = 7);
equation
  when time >= 0.5 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
