// n = k and k = n + 1 have no solution at the event.
// expect fails: depends on itself
model M
  Integer n(start = 0, fixed = true), k;
equation
  k = n + 1;
  when time > 0.5 then
    n = k;
  end when;
  annotation(experiment(StopTime = 1));
end M;
