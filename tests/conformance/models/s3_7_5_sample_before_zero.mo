// Ticks at -0.5, 0 and 0.5.
// expect n = 3
// expect last = 0.5
model M
  Integer n(start=0,fixed=true); discrete Real last(start=-9,fixed=true);
equation
  when sample(-0.5, 0.5) then n = pre(n)+1; last = time; end when;
  annotation(experiment(StartTime=-0.6, StopTime=0.9));
end M;
