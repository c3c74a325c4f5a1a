// Statements are executed in their order: the second when sees what the first assigned.
// expect a = 3
// expect b = 4
// expect c = 0
model M
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
algorithm
  when time >= 0.5 then
    c := b;
    a := 3;
  end when;
  when time >= 0.5 then
    b := a + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
