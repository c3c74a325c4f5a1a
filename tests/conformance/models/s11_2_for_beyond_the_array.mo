// A loop that goes beyond an array when its bound does.
// expect fails: out of range
function f input Real v[:]; input Integer n; output Real s; algorithm s := 0; for i in 1:n loop s := s + v[i]; end for; end f;
model M
  Integer n = integer(1 + 9*time);
  Real s = f({1,2,3,4}, n);
  annotation(experiment(StopTime = 1));
end M;
