// edge(not b) needs a variable; change works for both ways.
// expect n = 1
model M
  Boolean b, c;
  Integer n(start = 0, fixed = true);
equation
  b = time > 0.25 and time < 0.5;
  c = not b;
  when edge(c) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
