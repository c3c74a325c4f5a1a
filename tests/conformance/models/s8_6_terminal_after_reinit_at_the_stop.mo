// The tick at StopTime sets x, and terminal() comes after it.
// expect x = 5
// expect last = 5
// expect n = 2
model M
  Real x(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(1, 1) then
    reinit(x, 5);
    n = pre(n) + 1;
  end when;
  when terminal() then
    last = x;
  end when;
  annotation(experiment(StopTime = 2));
end M;
