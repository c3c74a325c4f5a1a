// when inside of an if that changes is refused.
// expect refused: 'when' is not allowed inside an 'if'
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  if x > 0.5 then
    when x > 0.75 then
      n = 1;
    end when;
  end if;
  annotation(experiment(StopTime = 1));
end M;
