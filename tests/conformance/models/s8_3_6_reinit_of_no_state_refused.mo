// reinit of what is no state is refused.
// expect refused: is not a state
model M
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = 2*x + 1 + sin(x);
  when x > 0.5 then
    reinit(y, 0);
  end when;
  annotation(experiment(StopTime = 1));
end M;
