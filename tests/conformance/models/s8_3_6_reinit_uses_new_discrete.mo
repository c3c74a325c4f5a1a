// reinit reads the new values of the round.
// expect x = 6
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 1, fixed = true);
equation
  der(x) = 0;
  when time >= 0.5 then
    n = 3;
    reinit(x, 2*n);
  end when;
  annotation(experiment(StopTime = 1));
end M;
