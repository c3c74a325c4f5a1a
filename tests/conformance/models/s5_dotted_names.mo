// Names as flat dumps of other tools have them, without quotes.
// expect r.p.v = 0.73575888234288464
// expect c[2].v = 2.6321205588285577
// expect body.r[1] = 2.2232442754839328
class M
  parameter Real r.R = 2.0;
  Real r.p.v;
  Real c[1].v(start = 1.0, fixed = true);
  Real c[2].v(start = 2.0, fixed = true);
  Real body.r[2](start = {1.0, 2.0}, each fixed = true);
equation
  r.p.v = r.R * c[1].v;
  der(c[1].v) = -c[1].v;
  der(c[2].v) = c[1].v;
  der(body.r[1]) = body.r[2];
  der(body.r[2]) = -body.r[1];
end M;
