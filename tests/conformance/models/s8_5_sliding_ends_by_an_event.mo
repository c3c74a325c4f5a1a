// The force jumps beyond what friction can hold: the block moves at once, v = t - 1.
// expect at 1: v = 0
// expect v = 1
// expect n = 1
// expect events = 2
model M
  Real v(start = 0, fixed = true), x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = (if n > 0 then 2 else 0.5) - sign(v);
  when time >= 1 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end M;
