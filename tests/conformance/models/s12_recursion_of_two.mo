// The greatest common divisor of 18 and 24.
// expect y = 6
function gcd input Integer a, b; output Integer g; algorithm if b == 0 then g := a; else g := gcd(b, mod(a, b)); end if; end gcd;
model M
  Integer k = if time > 0.5 then 18 else 12; Integer y = gcd(k, 24);
  annotation(experiment(StopTime = 1));
end M;
