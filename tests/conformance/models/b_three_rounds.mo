// An event goes on until nothing changes: a, then b, then c, one round each.
// expect a = 1
// expect b = 1
// expect c = 1
// expect n = 111
// expect events = 1
model M
  Integer a(start = 0, fixed = true), b, c;
  Integer n(start = 0, fixed = true);
equation
  when time >= 0.5 then
    a = 1;
  end when;
  b = pre(a);
  c = pre(b);
  when change(c) then
    n = 100*a + 10*b + c;
  end when;
  annotation(experiment(StopTime = 1));
end M;
