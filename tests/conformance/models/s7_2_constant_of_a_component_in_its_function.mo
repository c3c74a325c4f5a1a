// A function of a model sees the constant as the component modifies it.
// expect a.y = 6
// expect b.y = 15
model A
  constant Real k = 2;
  function f input Real x; output Real y; algorithm y := k*x; end f;
  Real y = f(3);
end A;
model M
  A a; A b(k = 5);
end M;
