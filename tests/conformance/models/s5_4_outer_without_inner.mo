// expect refused: there is no 'inner' 'world' around this 'outer' one
model World
  parameter Real g = 9.81;
end World;
model M
  outer World world;
  Real x = 1;
end M;
