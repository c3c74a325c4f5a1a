// A sampled sum: y(k+1) = y(k) + T u.
// expect at 0.6: y = 1
// expect y = 2
model M
  discrete Real y(start = 0, fixed = true);
equation
  when sample(0.25, 0.25) then
    y = pre(y) + 0.25*2;
  end when;
  annotation(experiment(StopTime = 1));
end M;
