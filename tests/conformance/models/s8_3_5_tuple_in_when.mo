// A function with two results inside of when.
// expect a = 4
// expect b = 6
function f
  input Real x;
  output Real y;
  output Real z;
algorithm
  y := x + 1;
  z := 2*x;
end f;
model M
  Real a(start = 0, fixed = true), b(start = 0, fixed = true);
equation
  when time >= 0.5 then
    (a, b) = f(3);
  end when;
  annotation(experiment(StopTime = 1));
end M;
