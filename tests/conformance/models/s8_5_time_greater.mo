// time > 0.3 is an event at 0.3, too.
// expect t1 = 0.3
model M
  discrete Real t1(start = 0, fixed = true);
equation
  when time > 0.3 then
    t1 = time;
  end when;
  annotation(experiment(StopTime = 1));
end M;
