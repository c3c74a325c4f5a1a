// Arrays of connectors are connected element by element.
// expect a = 1
// expect b = 2
// expect c = 3
model M
  connector Pin Real v; flow Real i; end Pin;
  model Three
    Pin p[3];
  equation
    for k in 1:3 loop p[k].v = k; end for;
  end Three;
  model Load
    Pin p[3];
  equation
    for k in 1:3 loop p[k].i = p[k].v; end for;
  end Load;
  Three t; Load l;
  Real a = l.p[1].i, b = l.p[2].i, c = -t.p[3].i;
equation
  connect(t.p, l.p);
end M;
