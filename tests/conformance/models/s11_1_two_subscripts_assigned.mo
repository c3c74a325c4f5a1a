// A variable as subscript makes the whole array one that the algorithm assigns.
// expect m[2,3] = 7
// expect m[1,1] = 0
model M
  Integer i(start=1), j(start=1); discrete Real m[2,3](each start=0, each fixed=true);
algorithm
  when sample(0.5, 10) then
    i := 2; j := i + 1;
    m[i, j] := 7;
  end when;
  annotation(experiment(StopTime = 1));
end M;
