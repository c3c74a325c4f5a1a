// Problem 40 of W. Hock and K. Schittkowski, Test Examples for Nonlinear Programming Codes, 1981. The minimum is -1/4 at
// (2^(-1/3), 2^(-1/2), 2^(-11/12), 2^(-1/4)).
//
//   driftless analyse minimise examples/models/minimise/hock_schittkowski_40.mo

model hock_schittkowski_40 "Hock and Schittkowski, problem 40"
  Real x[4](each start = 0.8);
  Real objective = -product(x);
equation
  x[1]^3 + x[2]^2 = 1;
  x[1]^2 * x[4] = x[3];
  x[4]^2 = x[2];
end hock_schittkowski_40;
