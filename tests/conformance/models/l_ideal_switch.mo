// A switch that closes between two capacitors: charge is kept, 1*4 = (1 + 3)*1, and both discharge together.
// expect at 0.5: u1 = 4
// expect at 0.5: i = 0
// expect at 1.5: u1 = 0.9394130628
// expect at 1.5: u2 = 0.9394130628
// expect u1 = 0.8824969026
// expect u2 = 0.7470175003
model M
  Real u1(start = 4, fixed = true), u2(start = 0, fixed = true), i;
  Boolean closed(start = false, fixed = true);
equation
  der(u1) = -i;
  3*der(u2) = i - u2/2;
  if closed then u1 = u2; else i = 0; end if;
  when time > 1 then closed = true; elsewhen time > 2 then closed = false; end when;
  annotation(experiment(StopTime = 3));
end M;
