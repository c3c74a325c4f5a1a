// At the start pre(x) is x.
// expect p = 3
// expect q = 3
model M
  Real x(start=3,fixed=true);
  discrete Real p(start=0,fixed=true), q(start=0,fixed=true);
equation
  der(x) = 1;
  when initial() then
    p = x;
  end when;
  when sample(0, 10) then
    q = pre(x);
  end when;
  annotation(experiment(StopTime=1));
end M;
