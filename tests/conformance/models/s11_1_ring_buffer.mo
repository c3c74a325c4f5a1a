// The subscript of what is assigned changes: the last three of the sampled times 0, 0.25, 0.5, 0.75.
// expect s = 3
// expect buf[1] = 0.75
model M
  parameter Integer n = 3;
  discrete Real buf[n](each start = 0, each fixed = true), s(start=0);
  Integer i(start=1, fixed=true);
algorithm
  when sample(0, 0.25) then
    buf[i] := time;
    i := mod(i, n) + 1;
    s := 4*sum(buf) - 3;
  end when;
  annotation(experiment(StopTime=0.9));
end M;
