#include "plane.h"

#include <algorithm>
#include <cmath>

namespace driftless::fuzz {

bool Plane::maybe(double chance, const char* trick) {
  if (!random_ || !random_->chance(chance)) return false;
  if (std::ranges::find(made_.tricks, trick) == made_.tricks.end()) made_.tricks.emplace_back(trick);
  return true;
}

std::string Plane::named(const std::string& letter, const std::string& sum) {
  if (!maybe(0.3, "named sums")) return sum;
  const std::string name = fmt::format("{}_s{}", letter, ++count_);
  words_.declare(name);
  words_.equate(name, sum);
  return name;
}

std::string Plane::multiplier() {
  const std::string name = fmt::format("l{}", ++multipliers_), result = fmt::format("force{}", multipliers_);
  words_.declare(name);
  std::string acting = name;
  if (maybe(0.3, "multipliers in other units"))
    acting = fmt::format("({}*{})", random_->one_of(std::vector{-1.0, 5.0, 0.01}), name);
  if (maybe(0.15, "factors that move before multipliers")) {
    const Body& body = bodies_[static_cast<std::size_t>(random_->integer(0, static_cast<int>(bodies_.size()) - 1))];
    acting = fmt::format("({} + 0.3*{})*{}", random_->sign() * 2.0, body.s, acting);
  }
  words_.declare(result);
  words_.equate(result, acting);
  made_.compared.push_back(result);
  return maybe(0.3, "multipliers by another name") ? result : fmt::format("({})", acting);
}

std::size_t Plane::add(const BodyData& data) {
  Body& body = bodies_.emplace_back();
  body.data = data;
  body.tag = std::to_string(bodies_.size());
  if (maybe(0.7, "other velocities")) {
    const std::vector<Speeds> all{Speeds::body, Speeds::momentum, Speeds::corner, Speeds::unit_vector};
    body.speeds = random_->one_of(all);
    if (body.speeds == Speeds::unit_vector && data.fixed_angle) body.speeds = Speeds::body;
    if (body.speeds == Speeds::corner && (data.fixed_x || data.fixed_speed)) body.speeds = Speeds::momentum;
  }
  write_kinematics(body);
  for (const auto& [letter, value] :
       {std::pair{"cx", body.x}, {"cy", body.y}, {"cc", body.c}, {"cs", body.s}, {"cw", body.w}}) {
    words_.declare(letter + body.tag);
    words_.equate(letter + body.tag, value);
    made_.compared.push_back(letter + body.tag);
  }
  return bodies_.size() - 1;
}

void Plane::write_kinematics(Body& body) {
  const BodyData& d = body.data;
  const auto own = [&](const char* letter) { return letter + body.tag; };
  const auto state = [&](const std::string& name, double start, bool fixed, const std::string& rate) {
    words_.declare(name, start, fixed);
    words_.equate(fmt::format("der({})", name), rate);
  };
  body.w = own("w");
  words_.declare(body.w, d.turning, d.fixed_turning);
  if (body.speeds == Speeds::unit_vector) {
    body.c = own("c"), body.s = own("s");
    state(body.c, std::cos(d.angle), false, fmt::format("-{}*{}", body.s, body.w));
    state(body.s, std::sin(d.angle), false, fmt::format("{}*{}", body.c, body.w));
    words_.begin_with(fmt::format("{}^2 + {}^2", body.c, body.s), "1");
  } else {
    state(own("p"), d.angle, d.fixed_angle, body.w);
    body.c = named("c", fmt::format("cos({})", own("p")));
    body.s = named("s", fmt::format("sin({})", own("p")));
  }
  if (body.speeds == Speeds::corner) return write_corner(body);
  body.x = own("x"), body.y = own("y");
  const std::string u = own("u"), v = own("v");
  words_.declare(u, d.vx * (body.speeds == Speeds::momentum ? d.mass : 1.0), d.fixed_speed);
  words_.declare(v, 0.0);
  if (body.speeds == Speeds::body) {
    body.vx = fmt::format("({}*{} - {}*{})", body.c, u, body.s, v);
    body.vy = fmt::format("({}*{} + {}*{})", body.s, u, body.c, v);
  } else if (body.speeds == Speeds::momentum) {
    body.vx = fmt::format("({}/{})", u, d.mass);
    body.vy = fmt::format("({}/{})", v, d.mass);
  } else {
    body.vx = u, body.vy = v;
  }
  state(body.x, d.x, d.fixed_x, body.vx);
  state(body.y, d.y, d.fixed_y, body.vy);
}

// The coordinates are those of a point off the centre.
void Plane::write_corner(Body& body) {
  const BodyData& d = body.data;
  body.corner = {random_->real(-0.3, 0.3), random_->real(-0.3, 0.3)};
  const auto [p, q] = body.corner;
  const std::string x = "kx" + body.tag, y = "ky" + body.tag, u = "ku" + body.tag, v = "kv" + body.tag;
  words_.declare(x, d.x + std::cos(d.angle) * p - std::sin(d.angle) * q);
  words_.declare(y, d.y + std::sin(d.angle) * p + std::cos(d.angle) * q);
  words_.declare(u), words_.declare(v);
  words_.equate(fmt::format("der({})", x), u);
  words_.equate(fmt::format("der({})", y), v);
  const auto [rx, ry] = arm(static_cast<std::size_t>(&body == &bodies_.back() ? bodies_.size() - 1 : 0), body.corner);
  body.x = fmt::format("({} - {})", x, rx);
  body.y = fmt::format("({} - {})", y, ry);
  body.vx = fmt::format("({} + {}*{})", u, body.w, ry);
  body.vy = fmt::format("({} - {}*{})", v, body.w, rx);
}

std::pair<std::string, std::string> Plane::arm(std::size_t a, Point p) const {
  const Body& body = bodies_[a];
  return {fmt::format("({}*{} - {}*{})", body.c, num(p.first), body.s, num(p.second)),
          fmt::format("({}*{} + {}*{})", body.s, num(p.first), body.c, num(p.second))};
}

std::pair<std::string, std::string> Plane::place(std::size_t a, Point p) const {
  const auto [rx, ry] = arm(a, p);
  return {bodies_[a].x + " + " + rx, bodies_[a].y + " + " + ry};
}

void Plane::add_force(std::size_t a, Point p, const std::string& fx, const std::string& fy) {
  Body& body = bodies_[a];
  const auto add = [](std::string& sum, const std::string& term) { sum += (sum.empty() ? "" : " + ") + term; };
  add(body.fx, fx);
  add(body.fy, fy);
  if (p == Point{}) return;
  const auto [rx, ry] = arm(a, p);
  add(body.moment, fmt::format("{}*({}) - {}*({})", rx, fy, ry, fx));
}

void Plane::pin(std::size_t a, Point in_a, std::size_t b, Point in_b) {
  const auto [xa, ya] = place(a, in_a);
  const auto [xb, yb] = place(b, in_b);
  words_.equate(xa, xb);
  words_.equate(ya, yb);
  const std::string fx = multiplier(), fy = multiplier();
  add_force(a, in_a, fx, fy);
  add_force(b, in_b, "(-" + fx + ")", "(-" + fy + ")");
}

void Plane::pin_to_ground(std::size_t a, Point in_a, Point at) {
  auto [x, y] = std::pair{num(at.first), num(at.second)};
  const std::string fx = multiplier(), fy = multiplier();
  add_force(a, in_a, fx, fy);
  if (maybe(0.3, "a ground that is a body")) {
    int k = 0;
    for (std::string* c : {&x, &y}) {
      const std::string& f = k++ == 0 ? fx : fy;
      const std::string g = fmt::format("g{}", ++count_), v = g + "_v", reaction = g + "_r";
      words_.declare(g, 0.0), words_.declare(v), words_.declare(reaction);
      words_.equate(fmt::format("der({})", g), v);
      words_.equate(fmt::format("7*der({})", v), fmt::format("{} - {}", reaction, f));
      words_.equate(g, *c);
      *c = g;
    }
  }
  const auto [xa, ya] = place(a, in_a);
  words_.equate(xa, x);
  words_.equate(ya, y);
}

void Plane::guide(std::size_t a) {
  Body& body = bodies_[a];
  const std::string f = multiplier(), m = multiplier();
  words_.equate(body.y, "0");
  words_.equate(body.speeds == Speeds::unit_vector ? body.s : "p" + body.tag, "0");
  add_force(a, {}, "0", f);
  body.moment += (body.moment.empty() ? "" : " + ") + m;
}

void Plane::rod(std::size_t a, Point in_a, Point at, double length) {
  const auto [xa, ya] = place(a, in_a);
  const std::string dx = named("d", fmt::format("({} - {})", xa, num(at.first)));
  const std::string dy = named("d", fmt::format("({} - {})", ya, num(at.second)));
  const std::string square = fmt::format("{0}^2 + {1}^2", dx, dy), f = multiplier();
  if (maybe(0.5, "a length that is a root")) {
    const std::string now = named("length", fmt::format("sqrt({})", square));
    words_.equate(now, num(length));
    const std::string by = maybe(0.5, "forces per length") ? now : num(length);
    add_force(a, in_a, fmt::format("{}*{}/{}", f, dx, by), fmt::format("{}*{}/{}", f, dy, by));
  } else {
    words_.equate(square, num(length * length));
    add_force(a, in_a, fmt::format("{}*{}/{}", f, dx, length), fmt::format("{}*{}/{}", f, dy, length));
  }
}

void Plane::blade(std::size_t a, Point in_a) {
  Body& body = bodies_[a];
  const auto [rx, ry] = arm(a, in_a);
  const bool rates = body.speeds != Speeds::corner && maybe(0.3, "derivatives in constraints");
  const std::string vx = rates ? fmt::format("der({})", body.x) : body.vx;
  const std::string vy = rates ? fmt::format("der({})", body.y) : body.vy;
  const std::string along =
      named("n", fmt::format("-{}*({} - {}*{}) + {}*({} + {}*{})", body.s, vx, body.w, ry, body.c, vy, body.w, rx));
  words_.equate(along, "0");
  const std::string f = multiplier();
  add_force(a, in_a, fmt::format("(-{}*{})", body.s, f), fmt::format("({}*{})", body.c, f));
}

void Plane::write_dynamics(Body& body) {
  const BodyData& d = body.data;
  const std::string fx = named("fx", body.fx), fy = named("fy", body.fy);
  const std::string moment = named("m", body.moment.empty() ? "0" : body.moment);
  const auto rate = [&](const std::string& letter) { return fmt::format("der({}{})", letter, body.tag); };
  const std::string &c = body.c, &s = body.s, &w = body.w;
  const std::string u = "u" + body.tag, v = "v" + body.tag;
  const std::string turning = fmt::format("{}*der({})", d.inertia, w);
  if (body.speeds == Speeds::corner) {  // the centre is at -r from the corner
    const auto [rx, ry] = arm(static_cast<std::size_t>(std::stoul(body.tag)) - 1, body.corner);
    const std::string ax = named("ax", fmt::format("({0} + {1}*{2} + {3}^2*{4})", rate("ku"), rate("w"), ry, w, rx));
    const std::string ay = named("ay", fmt::format("({0} - {1}*{2} + {3}^2*{4})", rate("kv"), rate("w"), rx, w, ry));
    words_.equate(fmt::format("{}*{}", d.mass, ax), fx);
    words_.equate(fmt::format("{}*{}", d.mass, ay), fy);
    words_.equate(fmt::format("{} - {}*({}*{} - {}*{})", turning, d.mass, rx, ay, ry, ax),
                  fmt::format("{} - ({}*({}) - {}*({}))", moment, rx, fy, ry, fx));
    return;
  }
  words_.equate(turning, moment);
  if (body.speeds == Speeds::body) {
    words_.equate(fmt::format("{}*({} - {}*{})", d.mass, rate("u"), w, v),
                  fmt::format("{}*({}) + {}*({})", c, fx, s, fy));
    words_.equate(fmt::format("{}*({} + {}*{})", d.mass, rate("v"), w, u),
                  fmt::format("{}*({}) - {}*({})", c, fy, s, fx));
    return;
  }
  const double mass = body.speeds == Speeds::momentum ? 1.0 : d.mass;
  words_.equate(fmt::format("{}*{}", mass, rate("u")), fx);
  words_.equate(fmt::format("{}*{}", mass, rate("v")), fy);
}

MechanismText Plane::finish() {
  for (Body& body : bodies_) write_dynamics(body);
  if (random_) {
    if (maybe(0.7, "other names")) words_.rename_some(*random_, random_->integer(1, 6));
    if (maybe(0.7, "rows scaled and turned")) words_.scale_and_turn(*random_);
    if (maybe(0.8, "another order")) words_.shuffle(*random_);
  }
  made_.text = words_.text();
  return made_;
}

}  // namespace driftless::fuzz
