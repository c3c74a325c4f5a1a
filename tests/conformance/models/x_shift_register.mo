// A chain of sampled delays moves one place at each tick.
// expect at 0.55: s[1] = 5
// expect at 0.55: s[2] = 4
// expect at 0.55: s[3] = 3
model M
  Integer s[3](each start = 0, each fixed = true), k(start = 0, fixed = true);
equation
  when sample(0.1, 0.1) then
    k = pre(k) + 1;
    s[1] = k;
    s[2] = pre(s[1]);
    s[3] = pre(s[2]);
  end when;
  annotation(experiment(StopTime = 1));
end M;
