// On the other side of x[4] = -0.208 y2 jumps, and with it the branch of der(x[4]): both sides push towards it, one of
// them so slowly that an event comes every 1.3e-9 of the run.
// expect fails: events accumulate
model M
  parameter Real p[2] = {-0.424, 1.4};
  Real x[5](start = {0.453, -0.511, 0.61, -0.412, 0.508}, each fixed = true), y0, y1, y2;
equation
  y0 = cos(x[1])*exp(-x[1]^2) + p[1]*(if x[2] > 0.102 then x[2] else 0.5);
  y1 = (if x[4] > (-0.208) then x[4] else 0.5) + p[1]*tanh(x[4] - y0);
  y2 = tanh(y1 - x[1]) + p[2]*tanh(x[4] - x[1]);
  der(x[1]) = -x[1] + p[1]*tanh(x[5] - x[2]);
  der(x[2]) = -x[2] + p[2]*(if x[3] > 0.33 then x[3] else 0.5);
  der(x[3]) = -x[3] + p[2]*cos(y0)*exp(-x[2]^2);
  der(x[4]) = -x[4] + p[1]*(if y2 > (-0.405) then y2 else 0.5);
  der(x[5]) = -x[5] + p[1]*cos(x[1])*exp(-x[2]^2);
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end M;
