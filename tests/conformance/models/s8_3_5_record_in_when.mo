// Fields of a record that a when assigns.
// expect r.n = 3
// expect r.x = 1
record R
  Integer n;
  Real x;
end R;
model M
  R r(n(start = 0), x(start = 0));
equation
  when time >= 0.5 then
    r.n = 3;
    r.x = 2*time;
  end when;
  annotation(experiment(StopTime = 1));
end M;
