// Two transitions that want one token: the first takes it.
// expect a = 0
// expect b = 1
// expect c = 0
model M
  Integer a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  Boolean fire1, fire2;
equation
  fire1 = time >= 0.5 and pre(a) > 0;
  fire2 = time >= 0.5 and pre(a) > 0 and not fire1;
  when {fire1, fire2} then
    a = pre(a) - 1;
  end when;
  when fire1 then
    b = pre(b) + 1;
  end when;
  when fire2 then
    c = pre(c) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
