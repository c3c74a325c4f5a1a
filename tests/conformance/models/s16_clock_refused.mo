// expect refused: clocks are not covered
model M
  discrete Real x(start = 0);
equation
  when Clock(0.1) then
    x = previous(x) + 1;
  end when;
end M;
