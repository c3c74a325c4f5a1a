// reinit is for equations and algorithms of whens alike.
// expect x = 0.25
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  when x >= 0.5 then
    reinit(x, 0);
  end when;
  annotation(experiment(StopTime = 0.75));
end M;
