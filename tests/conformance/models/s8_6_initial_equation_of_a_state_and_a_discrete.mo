// x = n says what x is at the start; n has its start value.
// expect x = 3
model M
  Integer n(start=3, fixed=true); Real x;
initial equation
  x = n;
equation
  der(x) = 0;
  when time > 5 then n = 4; end when;
end M;
