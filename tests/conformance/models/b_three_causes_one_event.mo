// Two states and a clock come together: a vector of conditions is active once, single ones once each.
// expect n = 1
// expect a = 1
// expect b = 1
// expect c = 1
// expect events = 1
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), a(start = 0, fixed = true), b(start = 0, fixed = true);
  Integer c(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 2;
  when {x >= 1, y >= 2, sample(1, 5)} then
    n = pre(n) + 1;
  end when;
  when x >= 1 then
    a = pre(a) + 1;
  end when;
  when y >= 2 then
    b = pre(b) + 1;
  end when;
  when sample(1, 5) then
    c = pre(c) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end M;
