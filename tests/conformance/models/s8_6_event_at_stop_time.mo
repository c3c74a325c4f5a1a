// An event exactly at StopTime is executed.
// expect n = 1
// expect events = 1
model M
  Integer n(start = 0, fixed = true);
equation
  when time >= 1 then
    n = 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
