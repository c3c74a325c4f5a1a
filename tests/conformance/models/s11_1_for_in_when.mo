// for in a when of an algorithm.
// expect s = 10
model M
  Integer s(start = 0, fixed = true);
algorithm
  when time >= 0.5 then
    for i in 1:4 loop
      s := s + i;
    end for;
  end when;
  annotation(experiment(StopTime = 1));
end M;
