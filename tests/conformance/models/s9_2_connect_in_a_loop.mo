// Three masses in a row, joined by two walls: the heat of all, 1*6 + 2*0 + 3*0, is kept; in the end all are at 1.
// expect n = 3
// expect heat = 6
// expect m[1].T = 1
// expect m[3].T = 1
connector Port
  Real T;
  flow Real Q;
end Port;
model Mass
  Port a, b;
  parameter Real C = 1, T0 = 0;
  Real T(start = T0, fixed = true);
equation
  a.T = T;
  b.T = T;
  C*der(T) = a.Q + b.Q;
end Mass;
model Wall
  Port a, b;
  parameter Real G = 1;
equation
  a.Q = G*(a.T - b.T);
  a.Q + b.Q = 0;
end Wall;
model M
  parameter Integer size_of_it = 3;
  Mass m[size_of_it](C = {1, 2, 3}, T0 = {6, 0, 0});
  Wall w[size_of_it - 1](each G = 2);
  Real heat;
  Integer n = size(m.C, 1);
equation
  for i in 1:size_of_it - 1 loop
    connect(m[i].b, w[i].a);
    connect(w[i].b, m[i + 1].a);
  end for;
  heat = sum(m[i].C*m[i].T for i in 1:3);
  annotation(experiment(StopTime = 100));
end M;
