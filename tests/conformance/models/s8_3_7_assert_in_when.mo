// assert in a when is judged when it is active.
// expect fails: too early
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    assert(x > 0.75, "too early");
  end when;
  annotation(experiment(StopTime = 1));
end M;
