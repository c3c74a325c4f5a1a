// A table look-up as a text book prints it: the condition of the loop would leave the table if x did.
// expect y = 0.5
function InterpolateVector
  input Real x; input Real ybar[:,2]; output Real y;
protected
  Integer i; Integer n = size(ybar,1); Real p;
algorithm
  assert(x>=ybar[1,1], "Independent variable must be greater than " + String(ybar[1,1]));
  assert(x<=ybar[n,1], "Independent variable must be less than " + String(ybar[n,1]));
  i := 1;
  while x>=ybar[i+1,1] loop
    i := i + 1;
  end while;
  p := (x-ybar[i,1])/(ybar[i+1,1]-ybar[i,1]);
  y := p*ybar[i+1,2]+(1-p)*ybar[i,2];
end InterpolateVector;
model M
  Real x(start=0, fixed=true), y = InterpolateVector(x, [0.0, 0.0; 2.0, 0.0; 4.0, 2.0; 6.0, 0.0; 8.0, 0.0]);
equation
  der(x) = 1;
  annotation(experiment(StopTime=2.5));
end M;
