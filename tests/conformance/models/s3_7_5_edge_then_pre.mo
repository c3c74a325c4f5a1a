// edge(b) counts once; pre(b) is true in the second round of the same event, which sees what the first one counted.
// expect n = 1
// expect m = 10
// expect events = 1
model M
  Boolean b, c, d;
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  b = time >= 1;
  c = edge(b);
  d = pre(b);
  when c then
    n = pre(n) + 1;
  end when;
  when d then
    m = 10*n;
  end when;
  annotation(experiment(StopTime = 2));
end M;
