// A loop of an expression, or of a function, may go over the elements of a variable.
// expect squares = 14
// expect ones = 1
// expect product = 6
// expect largest = 3
function product_of
  input Real v[:];
  output Real p = 1;
algorithm
  for x in v loop
    p := p*x;
  end for;
end product_of;
model M
  Real v[3] = {time, 2*time, 3*time}, squares, product, largest;
  Boolean q[5](each start = false, each fixed = true);
  Integer ones;
equation
  squares = sum(x^2 for x in v);
  product = product_of(v);
  largest = max(x for x in v);
  when sample(0, 0.125) then
    q[1] = not pre(q[5]);
    for i in 2:5 loop
      q[i] = pre(q[i - 1]);
    end for;
  end when;
  ones = sum(if b then 1 else 0 for b in q);
  annotation(experiment(StopTime = 1));
end M;
