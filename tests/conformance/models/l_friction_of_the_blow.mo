// The force of the floor slows down what it stops: how much depends on how u changes during the blow.
// expect fails: no impulse of the multipliers, along directions that stay as they are
model M
  Real x(start = 0, fixed = true), h(start = 1, fixed = true), u(start = 1, fixed = true), v(start = -1, fixed = true), N;
  Boolean down(start = false, fixed = true);
equation
  der(x) = u;
  der(h) = v;
  der(u) = -0.5*N*u;
  der(v) = N;
  if down then h = 0; else N = 0; end if;
  when h < 0 then down = true; end when;
  annotation(experiment(StopTime = 2));
end M;
