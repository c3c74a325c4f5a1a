// Matrices of discrete variables.
// expect a[1,2] = 4
// expect a[1,1] = 1
// expect a[2,1] = 0
model M
  Integer a[2, 2](start = {{1, 0}, {0, 1}}, each fixed = true);
equation
  when sample(0.25, 0.25) then
    a = pre(a)*{{1, 1}, {0, 1}};
  end when;
  annotation(experiment(StopTime = 1));
end M;
