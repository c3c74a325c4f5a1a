// Each counter counts its own ticks.
// expect a.n = 5
// expect b.n = 3
model Counter
  parameter Real T = 1;
  Integer n(start = 0, fixed = true);
equation
  when sample(0, T) then
    n = pre(n) + 1;
  end when;
end Counter;
model M
  Counter a(T = 0.25), b(T = 0.5);
end M;
