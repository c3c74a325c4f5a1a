// b reads a before the event.
// expect a = 3
// expect b = 2
model M
  Integer a(start=1,fixed=true), b(start=2,fixed=true);
algorithm
  when time > 0.5 then a := b + 1; b := pre(a) + 1; end when;
  annotation(experiment(StopTime=1));
end M;
