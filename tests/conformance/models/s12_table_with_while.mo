// Interpolation in a table: 1 + 0.75*3 at x = 1.75, and 1 + 0.5*3 at 1.5.
// expect y = 3.25
// expect z = 2.5
function interp
  input Real t[:, 2]; input Real x; output Real y;
protected
  Integer i;
algorithm
  i := 1;
  while i < size(t, 1) - 1 and x >= t[i+1, 1] loop i := i + 1; end while;
  y := t[i,2] + (x - t[i,1])*(t[i+1,2] - t[i,2])/(t[i+1,1] - t[i,1]);
end interp;
function interp2
  input Real t[:,:]; input Real x; output Real y;
protected
  Integer n = size(t, 1);
algorithm
  for i in 1:n-1 loop
    if x >= t[i,1] and x <= t[i+1,1] then
      y := t[i,2] + (x - t[i,1])*(t[i+1,2] - t[i,2])/(t[i+1,1] - t[i,1]);
      return;
    end if;
  end for;
  y := t[n,2];
end interp2;
model M
  Real x(start=0, fixed=true);
  Real y = interp([0,0; 1,1; 2,4; 3,9], x + 0.75);
  Real z = interp2([0,0; 1,1; 2,4; 3,9], 1.5);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end M;
