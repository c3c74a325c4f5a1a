// Its end is its begin, and terminal() is true.
// expect x = 3
// expect y = 6
// expect n = 1
model M
  Real x(start=3,fixed=true), y; Integer n(start=0,fixed=true);
equation
  der(x)=1; y = 2*x;
  when terminal() then n = pre(n)+1; end when;
  annotation(experiment(StartTime=2, StopTime=2));
end M;
