// when in an algorithm.
// expect n = 2
model M
  Integer n(start = 0, fixed = true);
algorithm
  when time >= 0.5 then
    n := n + 1;
    n := 2*n;
  end when;
  annotation(experiment(StopTime = 1));
end M;
