#include "mechanism.h"

#include <cmath>
#include <stdexcept>

#include "plane.h"

namespace driftless::fuzz {

namespace {

constexpr double gravity = 9.81;

struct Crank {
  double angle = 0.6, length = 0.4;
  double x() const { return length * std::cos(angle); }
  double y() const { return length * std::sin(angle); }
  std::size_t add(Plane& plane) const {
    const std::size_t body = plane.add({.mass = 1.5,
                                        .inertia = 0.05,
                                        .x = 0.5 * x(),
                                        .y = 0.5 * y(),
                                        .angle = angle,
                                        .turning = 4.0,
                                        .fixed_angle = true,
                                        .fixed_turning = true});
    plane.force(body, 0.0, -1.5 * gravity);
    plane.pin_to_ground(body, {-0.5 * length, 0.0}, {0.0, 0.0});
    return body;
  }
};

void slider_crank(Plane& plane) {
  const Crank crank;
  const double l = 0.9, angle = -std::asin(crank.y() / l);
  const std::size_t first = crank.add(plane);
  const std::size_t coupler = plane.add(
      {.mass = 2.0, .inertia = 0.2, .x = crank.x() + 0.5 * l * std::cos(angle), .y = 0.5 * crank.y(), .angle = angle});
  const std::size_t slider =
      plane.add({.mass = 0.7, .inertia = 0.1, .x = crank.x() + l * std::cos(angle), .y = 0.0, .angle = 0.0});
  plane.force(coupler, 0.0, -2.0 * gravity);
  plane.force(slider, 1.0, -0.7 * gravity);
  plane.pin(first, {0.5 * crank.length, 0.0}, coupler, {-0.5 * l, 0.0});
  plane.pin(coupler, {0.5 * l, 0.0}, slider, {0.0, 0.0});
  plane.guide(slider);
}

// The rocker turns about (1, 0); its end is where the circles about there and about the crank's end meet.
void four_bar(Plane& plane) {
  const Crank crank;
  const double l = 0.9, r = 0.7, dx = 1.0 - crank.x(), dy = -crank.y(), d = std::hypot(dx, dy);
  const double along = (l * l - r * r + d * d) / (2.0 * d), up = std::sqrt(l * l - along * along);
  const double x = crank.x() + (along * dx - up * dy) / d, y = crank.y() + (along * dy + up * dx) / d;
  const std::size_t first = crank.add(plane);
  const std::size_t coupler = plane.add({.mass = 2.0,
                                         .inertia = 0.2,
                                         .x = 0.5 * (crank.x() + x),
                                         .y = 0.5 * (crank.y() + y),
                                         .angle = std::atan2(y - crank.y(), x - crank.x())});
  const std::size_t rocker =
      plane.add({.mass = 1.0, .inertia = 0.1, .x = 0.5 * (1.0 + x), .y = 0.5 * y, .angle = std::atan2(y, x - 1.0)});
  plane.force(coupler, 0.0, -2.0 * gravity);
  plane.force(rocker, 0.0, -gravity);
  plane.pin(first, {0.5 * crank.length, 0.0}, coupler, {-0.5 * l, 0.0});
  plane.pin(rocker, {0.5 * r, 0.0}, coupler, {0.5 * l, 0.0});
  plane.pin_to_ground(rocker, {-0.5 * r, 0.0}, {1.0, 0.0});
}

// A skate that pulls another one down a slope.
void skates(Plane& plane) {
  const std::size_t front = plane.add({.mass = 2.0,
                                       .inertia = 0.3,
                                       .x = 0.0,
                                       .y = 0.0,
                                       .angle = 0.0,
                                       .vx = 1.0,
                                       .turning = 0.8,
                                       .fixed_x = true,
                                       .fixed_y = true,
                                       .fixed_angle = true,
                                       .fixed_speed = true,
                                       .fixed_turning = true});
  const std::size_t rear =
      plane.add({.mass = 1.0, .inertia = 0.2, .x = -1.0, .y = -0.2, .angle = 0.3, .fixed_angle = true});
  plane.force(front, 4.0, 0.0);
  plane.force(rear, 2.0, 0.0);
  plane.pin(front, {-0.4, 0.0}, rear, {0.6, 0.0});
  plane.blade(front, {0.1, 0.0});
  plane.blade(rear, {-0.2, 0.05});
}

// A plate on a rod that is held by a pin.
void swing(Plane& plane) {
  const std::size_t plate = plane.add({.mass = 2.0,
                                       .inertia = 0.3,
                                       .x = 0.5,
                                       .y = -0.648,
                                       .angle = 0.0,
                                       .vx = 0.3,
                                       .turning = 1.0,
                                       .fixed_x = true,
                                       .fixed_angle = true,
                                       .fixed_speed = true,
                                       .fixed_turning = true});
  plane.force(plate, 0.0, -2.0 * gravity);
  plane.rod(plate, {0.1, 0.2}, {0.1, 0.3}, 0.9);
}

struct Named {
  const char* name;
  void (*build)(Plane&);
};
constexpr Named mechanisms[] = {
    {"slider crank", slider_crank}, {"four-bar", four_bar}, {"skates", skates}, {"swing", swing}};

MechanismText written(const std::string& mechanism, Random* random) {
  for (const auto& [name, build] : mechanisms)
    if (mechanism == name) {
      Plane plane(random);
      build(plane);
      return plane.finish();
    }
  throw std::invalid_argument(mechanism);
}

}  // namespace

const std::vector<std::string>& mechanism_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Named& m : mechanisms) all.emplace_back(m.name);
    return all;
  }();
  return names;
}

MechanismText plain(const std::string& mechanism) { return written(mechanism, nullptr); }
MechanismText disguised(const std::string& mechanism, Random& random) { return written(mechanism, &random); }

}  // namespace driftless::fuzz
