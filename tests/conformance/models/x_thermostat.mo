// A thermostat with hysteresis between 1 and 2: x falls and rises with slope 1, eight switchings,
// at each of which a relation changes there and back.
// expect x = 1.5
// expect n = 8
// expect events = 16
model M
  Real x(start = 1.5, fixed = true);
  Boolean heat(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = if heat then 1 else -1;
  heat = x < 1 or (pre(heat) and x < 2);
  when change(heat) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 8));
end M;
