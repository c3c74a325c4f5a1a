// Ticks at 0, 0.125, ..., 0.875: eight.
// expect n = 8
model SampleAndHold
  parameter Real sample_time = 0.125; Real w(start=0, fixed=true); discrete Real w_m; Integer n(start=0, fixed=true);
initial equation
  w_m = 0;
equation
  der(w) = 1;
  when sample(0,sample_time) then
    w_m = w; n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime=0.9));
end SampleAndHold;
