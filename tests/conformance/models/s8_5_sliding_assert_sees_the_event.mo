// What an assertion in the event reads is the state where it is.
// expect at 1: x = 0
// expect x = 1
model M
  Real x(start = -0.5, fixed = true);
  discrete Real r(start = 0, fixed = true);
equation
  der(x) = if x > r then -1 else 1;
  when time >= 1 then
    r = 1;
    assert(x < 0.5, "x was moved by the event to " + String(x));
  end when;
  annotation(experiment(StopTime = 3));
end M;
