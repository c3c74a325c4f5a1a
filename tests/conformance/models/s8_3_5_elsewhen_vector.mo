// elsewhen with a vector of conditions.
// expect at 0.6: k = 11
// expect k = 21
// expect n = 2
model M
  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  when time >= 0.25 then
    n = 1;
    k = pre(k) + 1;
  elsewhen {time >= 0.5, time >= 0.75} then
    n = 2;
    k = pre(k) + 10;
  end when;
  annotation(experiment(StopTime = 1));
end M;
