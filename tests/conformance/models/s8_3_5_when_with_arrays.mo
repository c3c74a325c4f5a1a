// Equations of arrays inside of when.
// expect v[1] = 1
// expect v[3] = 3
model M
  Integer v[3](each start = 0, each fixed = true);
equation
  when time >= 0.5 then
    v = pre(v) + {1, 2, 3};
  end when;
  annotation(experiment(StopTime = 1));
end M;
