// Two bounds of the run: (1 + 2 + 3)*3.
// expect s = 18
function f input Integer n, m; output Integer s; algorithm s := 0; for i in 1:n, j in 1:m loop s := s + i; end for; s := s + 0; end f;
model M
  Integer n = integer(1 + 2.5*time);
  Integer s = f(n, n);
  annotation(experiment(StopTime = 1));
end M;
