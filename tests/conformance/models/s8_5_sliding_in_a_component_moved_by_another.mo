// The relay of one component, the setpoint of another one, and a third that samples: all see the event as it is.
// expect s.seen = 0
// expect s.target = 1
// expect p.x = 1
// expect at 1.25: p.x = 0.5
connector RealInput = input Real;
connector RealOutput = output Real;
block Plant
  RealInput r;
  RealOutput x(start = 0, fixed = true);
equation
  der(x) = 2*sign(r - x);
end Plant;
block Setpoint
  RealOutput r;
protected
  Integer n(start = 0, fixed = true);
equation
  when time >= 1 then
    n = 1;
  end when;
  r = n;
end Setpoint;
block Sampler
  RealInput x, r;
  discrete Real seen(start = -7, fixed = true), target(start = -7, fixed = true);
equation
  when time >= 1 then
    seen = x;
    target = r;
  end when;
end Sampler;
model M
  Sampler s;
  Plant p;
  Setpoint q;
equation
  connect(q.r, p.r);
  connect(p.x, s.x);
  connect(q.r, s.r);
  annotation(experiment(StopTime = 2));
end M;
