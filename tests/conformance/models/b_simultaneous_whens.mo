// Two when-clauses at the same time see each other only through pre or the order of the data.
// expect a = 2
// expect b = 1
model M
  Integer a(start = 1, fixed = true), b(start = 2, fixed = true);
equation
  when time >= 0.5 then
    a = pre(b);
  end when;
  when time >= 0.5 then
    b = pre(a);
  end when;
  annotation(experiment(StopTime = 1));
end M;
