// A branch of a function depends on a discrete input.
// expect k = 4
// expect y = 1.5
model M
  function f
    input Real u;
    input Integer n;
    output Real y;
  algorithm
    y := if n > 2 then 0.5*u else u;
  end f;
  Integer k(start=0,fixed=true);
  Real y = f(3, k);
equation
  when sample(0.1,0.25) then k = pre(k)+1; end when;
  annotation(experiment(StopTime=1));
end M;
