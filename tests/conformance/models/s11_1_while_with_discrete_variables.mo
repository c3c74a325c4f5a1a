// The greatest common divisor of 48 and 18.
// expect g = 6
model M
  Integer g(start=0,fixed=true);
protected
  Integer a(start=48,fixed=true), b(start=18,fixed=true), r(start=0,fixed=true);
algorithm
  when time > 0.5 then
    a := pre(a); b := pre(b); r := pre(r);
    while b > 0 loop
      r := mod(a, b); a := b; b := r;
    end while;
    g := a;
  end when;
  annotation(experiment(StopTime=1));
end M;
