// A relation as a subscript makes an event.
// expect y = 4
model M
  Real x(start=0,fixed=true), y; parameter Real k[Boolean] = {2, 4};
equation
  der(x)=1; y = k[x > 0.5];
  annotation(experiment(StopTime=1));
end M;
