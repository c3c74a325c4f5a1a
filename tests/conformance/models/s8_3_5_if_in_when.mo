// if inside of when.
// expect n = 11
model M
  Integer n(start = 0, fixed = true);
  Boolean late(start = false, fixed = true);
equation
  late = time >= 0.5;
  when {time >= 0.25, time >= 0.75} then
    if late then
      n = pre(n) + 10;
    else
      n = pre(n) + 1;
    end if;
  end when;
  annotation(experiment(StopTime = 1));
end M;
