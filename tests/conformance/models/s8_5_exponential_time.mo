// A relation of time that is not linear: exp(time) > 2 at log(2).
// expect events = 1
model M
  discrete Real t1(start = 0, fixed = true);
equation
  when exp(time) > 2 then
    t1 = time;
  end when;
  annotation(experiment(StopTime = 1));
end M;
