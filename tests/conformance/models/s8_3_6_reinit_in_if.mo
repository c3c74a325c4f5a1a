// reinit in an if of a when.
// expect n = 1
// expect x = 0.4
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 0.5 then
    n = pre(n) + 1;
    if n < 2 then
      reinit(x, 0);
    end if;
  end when;
  annotation(experiment(StopTime = 0.9));
end M;
