// Appendix B: in one round a condition sees what another when has just assigned, and pre of it is the old value.
// expect a = 1
// expect c = 1
model M
  Real x(start = 0, fixed = true);
  Integer a(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 0.5 then
    a = pre(a) + 1;
  end when;
  when a >= 1 then
    c = 100*pre(a) + a;
  end when;
  annotation(experiment(StopTime = 1));
end M;
