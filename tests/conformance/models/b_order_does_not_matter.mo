// Appendix B: the order in which when-clauses are written does not matter.
// expect a = 1
// expect c = 1
model M
  Real x(start = 0, fixed = true);
  Integer a(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  when a >= 1 then
    c = 100*pre(a) + a;
  end when;
  der(x) = 1;
  when x >= 0.5 then
    a = pre(a) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
