// change of a discrete Real.
// expect r = 2
// expect n = 2
model M
  discrete Real r(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  when sample(0, 0.25) then
    r = if time < 0.4 then 1 else 2;
  end when;
  when change(r) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
