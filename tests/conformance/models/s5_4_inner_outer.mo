// The outer world of the ball is the inner one of the model.
// expect room.ball.v = -10
model World
  parameter Real g = 9.81;
end World;
model Ball
  outer World world;
  Real v(start = 0, fixed = true);
equation
  der(v) = -world.g;
end Ball;
model Room
  Ball ball;
end Room;
model M
  inner World world(g = 10);
  Room room;
end M;
