// change(d) is true in the round in which another when assigns d.
// expect d = 7
// expect n = 1
model M
  Real x(start = 0, fixed = true);
  Integer d(start = 0, fixed = true), n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 0.5 then
    d = 7;
  end when;
  when change(d) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
