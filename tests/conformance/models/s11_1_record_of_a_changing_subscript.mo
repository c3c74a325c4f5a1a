// Fields of the record that a variable chooses.
// expect r[2].x = 5
// expect r[1].x = 0
record R Real x; Integer n; end R;
model M
  Integer k(start=1); R r[2](each x(start=0), each n(start=0));
algorithm
  when time > 0.5 then
    k := pre(k) + 1;
    r[k].x := 5; r[k].n := k;
  end when;
  annotation(experiment(StopTime = 1));
end M;
