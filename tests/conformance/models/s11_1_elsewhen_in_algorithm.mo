// elsewhen in an algorithm.
// expect n = 6
model M
  Integer n(start = 0, fixed = true);
algorithm
  when time >= 0.25 then
    n := 1;
  elsewhen time >= 0.5 then
    n := n + 5;
  end when;
  annotation(experiment(StopTime = 1));
end M;
