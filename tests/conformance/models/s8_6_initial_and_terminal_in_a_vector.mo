// Each is true once.
// expect a = 1
// expect b = 1
// expect c = 2
model M
  Integer a(start=0,fixed=true), b(start=0,fixed=true), c(start=0,fixed=true);
  Real x(start=0,fixed=true);
equation
  der(x)=1;
  when initial() then a = pre(a)+1; end when;
  when terminal() then b = pre(b)+1; end when;
  when {initial(), terminal()} then c = pre(c)+1; end when;
  annotation(experiment(StopTime=1));
end M;
