// der(x) inside of when.
// expect r = 2
model M
  Real x(start = 0, fixed = true);
  discrete Real r(start = 0, fixed = true);
equation
  der(x) = 2 + 0*x;
  when x >= 1 then
    r = der(x);
  end when;
  annotation(experiment(StopTime = 1));
end M;
