// A relation of a variable that jumps is judged with its new value, in the same round.
// expect n = 2
model M
  Real x(start = 0, fixed = true), y;
  Boolean d, e;
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  d = x >= 0.5;
  y = if d then 2 + x else x;
  e = y > 1.5;
  when e then
    n = if pre(d) then 1 else 2;
  end when;
  annotation(experiment(StopTime = 1));
end M;
