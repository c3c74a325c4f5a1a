// Fibonacci(20), and the function of Ackermann and Peter with known arguments.
// expect y = 6765
// expect z = 9
function fib input Integer n; output Integer y; algorithm y := if n < 2 then n else fib(n-1) + fib(n-2); end fib;
function ack input Integer m; input Integer n; output Integer y; algorithm
  if m == 0 then y := n + 1; elseif n == 0 then y := ack(m-1, 1); else y := ack(m-1, ack(m, n-1)); end if; end ack;
model M
  Integer k = 10*integer(2*time); Integer y = fib(k); Integer z = ack(2, 3);
  annotation(experiment(StopTime = 1));
end M;
