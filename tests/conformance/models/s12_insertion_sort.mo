// Elements are read and assigned by subscripts that depend on what is compared.
// expect y[1] = 1
// expect y[2] = 2
// expect y[4] = 5
function sort
  input Real x[:]; output Real y[size(x,1)];
protected
  Real t; Integer j;
algorithm
  y := x;
  for i in 2:size(x,1) loop
    t := y[i]; j := i - 1;
    while j >= 1 loop
      if y[j] <= t then break; end if;
      y[j+1] := y[j]; j := j - 1;
    end while;
    y[j+1] := t;
  end for;
end sort;
model M
  Real x[4] = {5*time, 2, 3, 1};
  Real y[4] = sort(x);
  annotation(experiment(StopTime=1));
end M;
