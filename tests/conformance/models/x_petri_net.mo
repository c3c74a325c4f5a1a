// A Petri net: tokens move, the number of tokens stays.
// expect at 0.15: p[2] = 1
// expect at 0.25: p[2] = 0
// expect p[1] = 0
// expect p[2] = 0
// expect p[3] = 3
// expect events = 6
model M
  Integer p[3](start = {3, 0, 0}, each fixed = true);
  Boolean t1, t2;
equation
  t1 = sample(0.1, 0.2);
  t2 = sample(0.2, 0.2);
  when t1 then
    p[1] = pre(p[1]) - 1;
  end when;
  when {t1, t2} then
    p[2] = pre(p[2]) + (if t1 then 1 else 0) - (if t2 then 1 else 0);
  end when;
  when t2 then
    p[3] = pre(p[3]) + 1;
  end when;
  annotation(experiment(StopTime = 0.65));
end M;
