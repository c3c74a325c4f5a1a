// else may be followed by another if with an end of its own.
// expect at 0.1: y = 1
// expect at 0.5: y = 2
// expect y = 3
model M
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  if x < 0.3 then
    y = 1;
  else if x < 0.6 then
    y = 2;
  else
    y = 3;
  end if;
  end if;
  annotation(experiment(StopTime = 1));
end M;
