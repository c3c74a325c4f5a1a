// expect r.x = 2
model M
  record R
    constant Real c = 2;
    Real x;
  end R;
  R r;
equation
  r.x = r.c*time;
end M;
