// Assignments see what those before them gave.
// expect a = 2
// expect b = 3
// expect c = 5
model M
  Integer a(start=1), b(start=2), c(start=0);
algorithm
  when time > 0.5 then
    a := b; b := a + 1; c := a + b;
  end when;
  annotation(experiment(StopTime=1));
end M;
