// Loops of the run have a limit, which is a failure with a name.
// expect fails: does not end
function f input Real x; output Integer n; algorithm n := 0; while n < x loop n := n + 1; end while; end f;
model M
  Integer n = f(1000*floor(2*time));
  annotation(experiment(StopTime = 1));
end M;
