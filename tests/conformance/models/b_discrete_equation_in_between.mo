// A discrete equation between two when-clauses makes no difference.
// expect c = 2
model M
  Real x(start = 0, fixed = true);
  Integer a(start = 0, fixed = true), b, c(start = 0, fixed = true);
  Boolean on;
equation
  der(x) = 1;
  when x >= 0.5 then
    a = pre(a) + 1;
  end when;
  b = 2*a;
  on = b >= 2;
  when on then
    c = 100*pre(b) + b;
  end when;
  annotation(experiment(StopTime = 1));
end M;
