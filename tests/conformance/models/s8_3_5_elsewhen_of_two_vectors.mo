// Ticks at 0.25 and time > 0.6 go first; the other vectors count what is left.
// expect a = 2
// expect b = 3
// expect c = 1
model M
  Integer a(start=0,fixed=true), b(start=0,fixed=true), c(start=0,fixed=true);
equation
  when {sample(0.25,0.5), time > 0.6} then
    a = pre(a) + 1;
    b = pre(b);
    c = pre(c);
  elsewhen {time > 0.1, time > 0.2, time > 0.3, time > 0.6} then
    a = pre(a);
    b = pre(b) + 1;
    c = pre(c);
  elsewhen time > 0.35 then
    a = pre(a);
    b = pre(b);
    c = pre(c) + 1;
  end when;
  annotation(experiment(StopTime=0.7));
end M;
