// A pulse train by two samplings.
// expect x = 0.25
model M
  Boolean on(start = false, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when {sample(0, 0.2), sample(0.05, 0.2)} then
    on = not pre(on);
  end when;
  der(x) = if on then 1 else 0;
  annotation(experiment(StopTime = 0.99));
end M;
