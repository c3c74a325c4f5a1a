// An assertion of the round that sets a sliding state counts.
// expect fails: not here
model M
  Real x(start = 0.5, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  when time >= 1 then
    reinit(x, 0.5);
    assert(x > 0.25, "not here");
  end when;
  annotation(experiment(StopTime = 3));
end M;
