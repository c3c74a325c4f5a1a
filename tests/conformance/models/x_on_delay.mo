// A signal that becomes true 0.25 after another one.
// expect y = true
// expect at 0.6: y = false
model M
  Boolean u = time > 0.5; Boolean y(start=false, fixed=true); discrete Real tn(start=1e30, fixed=true);
equation
  when u then tn = time + 0.25; end when;
  y = u and time >= tn;
  annotation(experiment(StopTime=1, Interval=0.1));
end M;
