// A state event and a time event at the same time make one event.
// expect a = 1
// expect b = 1
// expect c = 2
model M
  Integer a(start=0), b(start=0), c(start=0);
  Real x(start=0, fixed=true);
equation
  der(x) = 1;
  when x >= 0.5 then a = pre(a)+1; end when;
  when time >= 0.5 then b = pre(b)+1; end when;
  when {a > 0 , b > 0} then c = a + b; end when;
  annotation(experiment(StopTime=1));
end M;
