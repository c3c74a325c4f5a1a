// A discrete variable of an enumeration: a state machine.
// expect at 0.3: p = 2
// expect at 0.5: p = 3
// expect p = 3
// expect n = 2
type Phase = enumeration(a, b, c);
model M
  Phase p(start = Phase.a, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  when sample(0.2, 0.2) then
    p = if pre(p) == Phase.a then Phase.b elseif pre(p) == Phase.b then Phase.c else Phase.a;
  end when;
  when p == Phase.c then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
