// A recursion of a thousand levels, of which a hundred are written down.
// expect fails: levels deep
function f input Integer n; output Integer y; algorithm y := if n <= 0 then 0 else 1 + f(n-1); end f;
model M
  Integer k = 1000*integer(2*time); Integer n = f(k);
  annotation(experiment(StopTime = 1));
end M;
