// An assertion under terminal() is judged.
// expect fails: x is too small at the end
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when terminal() then
    assert(x > 2, "x is too small at the end");
  end when;
  annotation(experiment(StopTime = 1));
end M;
