// A condition that is true at the start does not activate its when.
// expect n = 0
// expect events = 0
model M
  Real x(start = 2, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 1 then
    n = 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
