// A server that takes 0.25 for each of those who come at 0.1, 0.3, 0.5, ...: done at 0.35, 0.6 and 0.85.
// expect nServed = 3
model Server
  Boolean arrive = sample(0.1, 0.2); Integer nArrived(start=0, fixed=true), nServed(start=0, fixed=true), q; discrete Real tDone(start=1e9, fixed=true);
equation
  when arrive then nArrived = pre(nArrived) + 1; end when;
  when time >= pre(tDone) then nServed = pre(nServed) + 1; end when;
  q = nArrived - nServed;
algorithm
  when {arrive and pre(q) == 0, time >= pre(tDone)} then
    tDone := if time >= pre(tDone) and q <= 0 then 1e9 else time + 0.25;
  end when;
  annotation(experiment(StopTime=1));
end Server;
