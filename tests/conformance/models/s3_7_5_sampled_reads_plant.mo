// A sampler sees the state at its tick.
// expect x = 0.36787944117144233
model M
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = -x;
  when sample(0, 0.5) then
    u = x;
  end when;
  annotation(experiment(StopTime = 1));
end M;
