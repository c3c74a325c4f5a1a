// An input that a model gives a value by an equation of its own.
// expect y[1] = 1
model LTI
  parameter Integer nx = 0, nu = 0, ny = 0;
  parameter Real A[nx,nx] = fill(0, nx, nx), B[nx,nu] = fill(0,nx,nu), C[ny,nx] = fill(0,ny,nx), D[ny,nu] = fill(0,ny,nu), x0[nx] = fill(0, nx);
  input Real u[nu]; Real x[nx]; output Real y[ny];
initial equation
  x = x0;
equation
  der(x) = A*x + B*u;
  y = C*x + D*u;
end LTI;
model Int
  extends LTI(nx=1, ny=1, nu=1, A=[0], B=[2], C=[1], D=[0]);
equation
  u = {0.5};
  annotation(experiment(StopTime=1));
end Int;
