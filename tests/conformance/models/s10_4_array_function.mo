// array(a, b) is {a, b}; array(e for i in r) is {e for i in r}.
// expect a[2] = 2
// expect b[3] = 9
model M
  Real a[2] = array(1, 2);
  Real b[3] = array(i^2 for i in 1:3);
  annotation(experiment(StopTime = 1));
end M;
