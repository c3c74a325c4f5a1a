// A function that looks up a table: linear interpolation.
// expect at 0.25: y = 0.5
// expect at 0.75: y = 3
// expect y = 5
function look
  input Real x;
  output Real y;
protected
  Real xs[3] = {0, 0.5, 1};
  Real ys[3] = {0, 1, 5};
  Integer k;
algorithm
  k := 1;
  for i in 1:2 loop
    if x >= xs[i] then
      k := i;
    end if;
  end for;
  y := ys[k] + (ys[k + 1] - ys[k])*(x - xs[k])/(xs[k + 1] - xs[k]);
end look;
model M
  Real y;
equation
  y = look(time);
  annotation(experiment(StopTime = 1));
end M;
