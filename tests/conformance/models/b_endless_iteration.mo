// An event that never comes to an end is named.
// expect fails: does not come to an end
model M
  Integer k(start = 0, fixed = true);
  Boolean go(start = false, fixed = true);
equation
  when change(k) or time >= 0.5 then
    go = not pre(go);
  end when;
  k = if time >= 0.5 then pre(k) + 1 else 0;
  annotation(experiment(StopTime = 1));
end M;
