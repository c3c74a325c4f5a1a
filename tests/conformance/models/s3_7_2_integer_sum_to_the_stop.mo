// 1 + 2 + 3 + 4, the last one at StopTime.
// expect s = 10
// expect events = 4
model M
  Integer n = integer(2*time), s(start = 0, fixed = true);
equation
  when change(n) then
    s = pre(s) + n;
  end when;
  annotation(experiment(StopTime = 2));
end M;
