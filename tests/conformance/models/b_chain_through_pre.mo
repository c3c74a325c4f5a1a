// What reads pre(a) follows one round after a.
// expect b = 1
// expect n = 11
model M
  Real x(start = 0, fixed = true);
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 0.5 then
    a = 1;
  end when;
  b = pre(a);
  when b > 0 then
    n = 10*a + b;
  end when;
  annotation(experiment(StopTime = 1));
end M;
