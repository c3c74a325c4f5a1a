// terminal() is true after terminate, too.
// expect ends: half
// expect n = 1
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    terminate("half");
  end when;
  when terminal() then
    n = 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
