// max over nothing is the least number, min the greatest.
// expect a = 0
// expect b = 5
model M
  Real a = max(0, max(i for i in 1:0));
  Real b = min(5, min(zeros(0)));
  annotation(experiment(StopTime = 1));
end M;
