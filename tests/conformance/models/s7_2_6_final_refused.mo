// What is final is not modified.
// expect refused: final
model A final parameter Real k = 1; Real y = k; end A;
model M A a(k = 2); end M;
