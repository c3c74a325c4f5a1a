// expect refused: only constants can be used
model M
  parameter Real p = 2;
  model Inner
    Real x = p;
  end Inner;
  Inner i;
end M;
