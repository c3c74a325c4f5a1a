// A variable that two whens assign is refused.
// expect refused: gets two values
model M
  Integer n(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    n = 1;
    n = 2;
  end when;
  annotation(experiment(StopTime = 1));
end M;
