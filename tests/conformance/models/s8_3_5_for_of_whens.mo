// when inside of for.
// expect n[1] = 1
// expect n[2] = 2
// expect n[3] = 3
// expect at 0.5: n[3] = 0
model M
  Integer n[3](each start = 0, each fixed = true);
equation
  for i in 1:3 loop
    when time >= 0.2*i then
      n[i] = pre(n[i]) + i;
    end when;
  end for;
  annotation(experiment(StopTime = 1));
end M;
