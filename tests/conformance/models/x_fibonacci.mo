// A recursion of second order.
// expect at 0.95: a = 55
// expect at 0.95: b = 34
model M
  Integer a(start = 1, fixed = true), b(start = 0, fixed = true);
equation
  when sample(0.1, 0.1) then
    a = pre(a) + pre(b);
    b = pre(a);
  end when;
  annotation(experiment(StopTime = 1));
end M;
