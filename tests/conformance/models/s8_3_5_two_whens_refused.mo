// Equations of two whens may not give one variable its value.
// expect refused: and in another one
model M
  Integer n(start=0);
equation
  when time > 0.5 then n = 1; end when;
  when time > 0.7 then n = 2; end when;
end M;
