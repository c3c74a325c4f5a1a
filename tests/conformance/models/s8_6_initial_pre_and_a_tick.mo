// pre(n) is 3 while the start is found, and the tick at the start counts on from there.
// expect at 0: n = 4
// expect n = 5
model M
  Integer n;
initial equation
  pre(n) = 3;
equation
  when sample(0, 1) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1.5));
end M;
