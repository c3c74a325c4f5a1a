// Three components that pass a Boolean and a number on: all of it happens in one event.
// expect c.m = 10
// expect b.n = 1
// expect d.k = 11
// expect events = 1
connector BooleanInput = input Boolean;
connector BooleanOutput = output Boolean;
connector IntegerInput = input Integer;
connector IntegerOutput = output Integer;
block Source
  BooleanOutput y;
equation
  y = time >= 1;
end Source;
block Count
  BooleanInput u;
  BooleanOutput y;
  IntegerOutput n(start = 0, fixed = true);
equation
  when u then
    n = pre(n) + 1;
  end when;
  y = n >= 1;
end Count;
block Scale
  BooleanInput u;
  IntegerInput n;
  IntegerOutput m(start = 0, fixed = true);
equation
  when u then
    m = pre(m) + 10*n;
  end when;
end Scale;
block Sum
  IntegerInput a, b;
  Integer k = a + b;
end Sum;
model M
  Sum d;
  Scale c;
  Count b;
  Source a;
equation
  connect(a.y, b.u);
  connect(b.y, c.u);
  connect(b.n, c.n);
  connect(b.n, d.a);
  connect(c.m, d.b);
  annotation(experiment(StopTime = 2));
end M;
