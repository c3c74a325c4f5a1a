// A block on a belt of speed 1/2: it sticks until the spring pulls with 3/2, and slips against a friction of 1 until it
// is as fast as the belt. Slips at 3 + k (2 + 3 pi/2) begin with x = 3/2 and end 3 pi/2 later with x = 1/2.
// In each period x > 3/2, x < 1 and v >= 1/2 change twice.
// expect slips = 3
// expect sticks = 3
// expect x = 0.9314165294229646
// expect events = 18
model M
  Real x(start = 0, fixed = true), v(start = 0.5, fixed = true);
  Boolean stuck(start = true, fixed = true);
  Integer slips(start = 0, fixed = true), sticks(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = if stuck then 0 else 1 - x;
  when stuck and x > 1.5 then
    slips = pre(slips) + 1;
  end when;
  when not stuck and v >= 0.5 and x < 1 then
    sticks = pre(sticks) + 1;
  end when;
  stuck = slips == sticks;
  annotation(experiment(StopTime = 22));
end M;
