// Equations of one when have no order.
// expect a = 11
// expect b = 10
model M
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true);
equation
  when time >= 0.5 then
    a = b + 1;
    b = 10;
  end when;
  annotation(experiment(StopTime = 1));
end M;
