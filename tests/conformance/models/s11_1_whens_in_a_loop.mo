// One when for each round of a loop, with its own interval.
// expect c[1] = 1
// expect c[2] = 2
// expect c[3] = 3
model M
  Integer c[3](each start=0);
algorithm
  for i in 1:3 loop
    when sample(0, 1/i) then c[i] := pre(c[i]) + 1; end when;
  end for;
  annotation(experiment(StopTime=0.99));
end M;
