// The same with an equation.
// expect refused: give it its value in a 'when', or leave out 'discrete'
model M
  discrete Real a;
equation
  a = sin(time);
end M;
