// Two subscripts that change.
// expect at 0.1: y = 1
// expect at 0.4: y = 2
// expect at 0.6: y = 4
// expect at 0.9: y = 3
model M
  Real t[2, 2] = {{1, 2}, {3, 4}};
  Integer i, j;
  Real y;
equation
  i = if time < 0.5 then 1 else 2;
  j = if time < 0.25 then 1 elseif time < 0.75 then 2 else 1;
  y = t[i, j];
  annotation(experiment(StopTime = 1));
end M;
