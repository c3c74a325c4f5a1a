// A car axis on a bumpy road: the left wheel rolls on a flat surface, the right one moves up and down; the chassis is
// a bar between two springs. CWI/Bari test set (with multipliers of the opposite sign). Index 3, depends on time.

model car_axis "Car axis"
  parameter Real epsilon = 1e-2;
  parameter Real M = 10 "mass of the chassis";
  parameter Real L = 1 "width of the axis";
  parameter Real L0 = 0.5 "length of the springs at rest";
  parameter Real bump = 0.1 "height of the road under the right wheel";
  parameter Real omega = 10 "its frequency";
  parameter Real g = 1 "gravity";
  parameter Real m = M * epsilon^2 / 2;
  Real xl(start = 0), yl(start = 0.5, fixed = true) "left end of the chassis";
  Real xr(start = 1), yr(start = 0.5, fixed = true) "right end";
  Real vxl(start = -0.5), vyl(start = 0, fixed = true), vxr(start = -0.5), vyr(start = 0, fixed = true);
  Real lambda[2];
  Real xb, yb "the right wheel";
  Real left, right "lengths of the springs";
equation
  yb = bump * sin(omega * time);
  xb = sqrt(L^2 - yb^2);
  left = sqrt(xl^2 + yl^2);
  right = sqrt((xr - xb)^2 + (yr - yb)^2);
  der(xl) = vxl;
  der(yl) = vyl;
  der(xr) = vxr;
  der(yr) = vyr;
  m * der(vxl) = (L0 - left) * xl / left - xb * lambda[1] - 2 * (xl - xr) * lambda[2];
  m * der(vyl) = (L0 - left) * yl / left - m * g - yb * lambda[1] - 2 * (yl - yr) * lambda[2];
  m * der(vxr) = (L0 - right) * (xr - xb) / right + 2 * (xl - xr) * lambda[2];
  m * der(vyr) = (L0 - right) * (yr - yb) / right - m * g + 2 * (yl - yr) * lambda[2];
  xb * xl + yb * yl = 0 "the left spring is perpendicular to the axis";
  (xl - xr)^2 + (yl - yr)^2 = L^2 "the chassis is rigid";
  annotation(experiment(StopTime = 3, Tolerance = 1e-6, Interval = 0.01),
    __driftless(points = [0, 0; xb, yb; xl, yl; xr, yr], links = [1, 2; 3, 4], springs = [1, 3; 2, 4],
      ground = {1}, traces = {3, 4}));
end car_axis;
