// Bounds of a loop that change; the sum of 1 to 3, and of 4 to 3 downwards.
// expect s = 6
// expect t = 7
function f input Real v[:]; input Integer n; output Real s; algorithm s := 0; for i in 1:n loop s := s + v[i]; end for; end f;
function g input Real v[:]; input Integer n; output Real s; algorithm s := 0; for i in size(v,1):-1:n loop s := s + v[i]; end for; end g;
model M
  Integer n = integer(1 + 2.5*time);
  Real s = f({1,2,3,4}, n), t = g({1,2,3,4}, n);
  annotation(experiment(StopTime = 1));
end M;
