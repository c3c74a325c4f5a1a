// An output with two dimensions.
// expect s = 10
model M
  connector RealIn = input Real; connector RealOut = output Real;
  model S RealOut y[2,2]; equation y = {{1,2},{3,4}}; end S;
  model T RealIn u[2,2]; Real s = sum(u); end T;
  S a; T b; Real s = b.s;
equation connect(a.y, b.u);
end M;
