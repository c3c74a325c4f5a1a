// x = 5, then 6 in the second round, whose elsewhen makes it 12 in the third.
// expect x = 12
// expect n = 2
model M
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x) = 0;
  when time >= 0.5 then
    reinit(x, 5);
  end when;
  when x > 4 then
    n = pre(n) + 1;
    reinit(x, x + 1);
  elsewhen x > 5.5 then
    n = pre(n) + 1;
    reinit(x, 2*x);
  end when;
  annotation(experiment(StopTime=1));
end M;
