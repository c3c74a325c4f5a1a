// while with a bound that is known.
// expect n = 32
model M
  Integer n(start = 0, fixed = true);
algorithm
  when time >= 0.5 then
    n := 1;
    for i in 1:5 loop
      n := 2*n;
    end for;
  end when;
  annotation(experiment(StopTime = 1));
end M;
