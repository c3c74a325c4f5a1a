// n changes in the first round and in the second one: change(n) is true in both and becomes true once.
// expect n = 3
// expect m = 1
// expect events = 1
model M
  Integer a(start = 0, fixed = true), c(start = 0, fixed = true), m(start = 0, fixed = true), n;
equation
  when time >= 1 then
    a = 1;
  end when;
  when pre(a) == 1 then
    c = 2;
  end when;
  n = a + c;
  when change(n) then
    m = pre(m) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end M;
