// An event of time comes exactly at its time.
// expect t1 = 0.3
model M
  discrete Real t1(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when time >= 0.3 then
    t1 = time;
  end when;
  annotation(experiment(StopTime = 1));
end M;
