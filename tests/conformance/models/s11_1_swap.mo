// An algorithm may exchange values.
// expect a = 2
// expect b = 1
model M
  Integer a(start = 1, fixed = true), b(start = 2, fixed = true), h(start = 0, fixed = true);
algorithm
  when time >= 0.5 then
    h := a;
    a := b;
    b := h;
  end when;
  annotation(experiment(StopTime = 1));
end M;
