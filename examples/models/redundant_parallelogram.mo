// A bar on three parallel cranks, one more than it needs: the constraints depend on each other everywhere. Multipliers are
// not unique; those of least norm are taken. It starts at t = 0.1, as at t = 0 all is horizontal and it could fold.

model redundant_parallelogram "Redundantly constrained parallelogram (three cranks)"
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real x(unit = "m", start = 0.998797482749889685568866587543) "middle of the bar";
  Real y(unit = "m", start = -0.0490264056655575760326216250027);
  Real phi(unit = "rad", start = 0) "angle of the bar";
  Real vx(unit = "m/s", start = -0.0480833351123973965424857301071);
  Real vy(unit = "m/s", start = -0.979584642612729271959025660643), omega(unit = "rad/s", start = 0);
  Real lambda[3](each unit = "N/m");
  Real cx[3](each unit = "m"), cy[3](each unit = "m") "the cranks as vectors";
  parameter Real place[3](each unit = "m") = {-1, 0, 1} "of the cranks, on the bar and on the ground";
equation
  der(x) = vx;
  der(y) = vy;
  der(phi) = omega;
  for i in 1:3 loop
    cx[i] = x + place[i] * cos(phi) - place[i];
    cy[i] = y + place[i] * sin(phi);
    cx[i]^2 + cy[i]^2 = 1;
  end for;
  der(vx) = -2 * (cx * lambda);
  der(vy) = -g - 2 * (cy * lambda);
  1 / 3 * der(omega) = -2 * sum(place[i] * (cy[i] * cos(phi) - cx[i] * sin(phi)) * lambda[i] for i in 1:3);
  annotation(experiment(StartTime = 0.1, StopTime = 1, Tolerance = 1e-6, Interval = 0.01),
    __driftless(points = [place, zeros(3); place + cx, cy], links = [1, 4; 2, 5; 3, 6; 4, 5; 5, 6],
      ground = 1:3, traces = {5}));
end redundant_parallelogram;
