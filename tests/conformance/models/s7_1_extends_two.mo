// Elements and equations of both bases.
// expect x = 3
// expect y = 4
partial model HasX
  Real x;
equation
  x = 3;
end HasX;
partial model HasY
  Real y;
end HasY;
model M
  extends HasX;
  extends HasY;
equation
  y = x + 1;
end M;
