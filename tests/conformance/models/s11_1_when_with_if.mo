// if in a when of an algorithm keeps what it does not assign.
// expect a = 11
// expect b = 13
model M
  Integer a(start = 1, fixed = true), b(start = 2, fixed = true);
algorithm
  when {time >= 0.25, time >= 0.75} then
    if time < 0.5 then
      a := a + 10;
    else
      b := b + a;
    end if;
  end when;
  annotation(experiment(StopTime = 1));
end M;
