// Ticks at 0, 1, ..., 6; at 0, 2, 4, 6; at 0, 3, 6.
// expect c[1].n = 7
// expect c[2].n = 4
// expect c[3].n = 3
// expect total = 14
// expect events = 6
block Counter
  parameter Real period = 1;
  output Integer n(start = 0, fixed = true);
equation
  when sample(0, period) then
    n = pre(n) + 1;
  end when;
end Counter;
model M
  Counter c[3](period = {1, 2, 3});
  Integer total = sum(c.n);
  annotation(experiment(StopTime = 6));
end M;
