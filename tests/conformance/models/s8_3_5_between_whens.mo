// What one when assigns is read by another of the same time, in the order of the data.
// expect a = 12
// expect b = 5
// expect c = 6
model M
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  when time >= 0.5 then
    a = 2*c;
    b = 5;
  end when;
  when time >= 0.5 then
    c = b + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
