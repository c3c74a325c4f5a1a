// A condition may read pre of what the when assigns.
// expect n = 3
model M
  Integer n(start = 0, fixed = true);
equation
  when sample(0.1, 0.1) and pre(n) < 3 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
