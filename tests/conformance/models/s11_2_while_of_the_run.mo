// The number of rounds of a loop is known in the run only: 3 needs 7 rounds, 8 three, and 9 nineteen.
// expect n = 19
// expect m = 3
function collatz
  input Integer i;
  output Integer n;
protected
  Integer k;
algorithm
  k := i; n := 0;
  while k > 1 loop
    if mod(k, 2) == 0 then k := div(k, 2); else k := 3*k + 1; end if;
    n := n + 1;
  end while;
end collatz;
model M
  Integer k = if time < 0.5 then 3 else 8;
  Integer n(start=0), m;
equation
  m = collatz(k);
algorithm
  when time > 0.2 then n := collatz(k+6); end when;
  annotation(experiment(StopTime = 1));
end M;
