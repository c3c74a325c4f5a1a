// Enumerations are ordered: a, b, c and again; from a it comes beyond a twice.
// expect n = 2
model M
  type E = enumeration(a, b, c);
  E e(start = E.a, fixed = true);
  Integer n(start=0,fixed=true);
equation
  when sample(0.25, 0.25) then
    e = if pre(e) == E.a then E.b elseif pre(e) == E.b then E.c else E.a;
  end when;
  when e > E.a then n = pre(n) + 1; end when;
  annotation(experiment(StopTime=1.6));
end M;
