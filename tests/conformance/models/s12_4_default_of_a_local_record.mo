// Fields of a local record have the values of their definition until they are assigned.
// expect y = 8.8
// expect w = 7
// expect v = 9
function f
  input Real x;
  output Real y;
protected
  Real z[3] = {1,2,3};
algorithm
  z[1] := x;
  y := 2*z[1] + z[2];
end f;
record R
  Real a = 4;
  Real b = 5;
end R;
function g
  input Real x;
  output Real y;
protected
  R r;
algorithm
  r.a := x;
  y := r.a + r.b;
end g;
function h
  input Integer n;
  output Real y = 1;
protected
  Real m[n, n] = identity(n);
algorithm
  m[1, 2] := 3;
  m[2, :] := {4, 5};
  y := y + sum(m) - m[1,1]*m[n,n];
end h;
model M
  Real y = f(3.4), w = g(2), v = h(2) + g(-4) - 1;
equation
  annotation(experiment(StopTime = 1));
end M;
