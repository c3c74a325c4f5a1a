// A ball without a state of rest: its bounces end at t = sqrt(2/g)*(1 + e)/(1 - e) = 4.0637, and so does the run.
// expect fails: accumulate
model M
  Real h(start=1, fixed=true), v(start=0, fixed=true);
  parameter Real e = 0.8, g = 9.81;
equation
  der(h) = v; der(v) = -g;
  when h <= 0 then reinit(v, -e*pre(v)); end when;
  annotation(experiment(StopTime=5));
end M;
