// pre of a part of an array.
// expect v[1] = 0.75
// expect v[3] = 0.25
model M
  discrete Real v[3](each start=0, each fixed=true);
equation
  when sample(0, 0.25) then v = cat(1, {time}, pre(v[1:2])); end when;
  annotation(experiment(StopTime=0.9));
end M;
