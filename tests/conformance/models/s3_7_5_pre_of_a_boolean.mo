// A toggle: b = not pre(b) inside of when.
// expect at 0.3: b = true
// expect at 0.6: b = false
// expect at 0.9: b = true
// expect b = false
model M
  Boolean b(start = false, fixed = true);
equation
  when sample(0.25, 0.25) then
    b = not pre(b);
  end when;
  annotation(experiment(StopTime = 1));
end M;
