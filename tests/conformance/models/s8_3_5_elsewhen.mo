// elsewhen is active only if no branch before it is.
// expect at 0.4: n = 1
// expect n = 3
model M
  Integer n(start = 0, fixed = true);
equation
  when time >= 0.25 then
    n = 1;
  elsewhen time >= 0.25 then
    n = 2;
  elsewhen time >= 0.5 then
    n = 3;
  end when;
  annotation(experiment(StopTime = 1));
end M;
