// Bodies in the plane, joints, rods and blades, each written in one of several ways.
#pragma once

#include <fmt/format.h>

#include <deque>

#include "mechanism.h"
#include "wording.h"

namespace driftless::fuzz {

// How velocities are written: of the centre in space; along the axes of the body; as momenta; of another point of the
// body; with a unit vector instead of an angle.
enum class Speeds { world, body, momentum, corner, unit_vector };

struct BodyData {
  double mass, inertia, x, y, angle;
  double vx = 0.0, turning = 0.0;
  bool fixed_x = false, fixed_y = false, fixed_angle = false, fixed_speed = false, fixed_turning = false;
};

class Plane {
 public:
  // No random choices: the plain text.
  explicit Plane(Random* random) : random_(random) {}

  using Point = std::pair<double, double>;  // in the axes of the body
  std::size_t add(const BodyData& data);
  void pin(std::size_t a, Point in_a, std::size_t b, Point in_b);
  void pin_to_ground(std::size_t a, Point in_a, Point place);
  void guide(std::size_t a);  // y = 0, angle = 0
  void rod(std::size_t a, Point in_a, Point place, double length);
  void blade(std::size_t a, Point in_a);
  void force(std::size_t a, double fx, double fy) { add_force(a, {}, num(fx), num(fy)); }
  MechanismText finish();

 private:
  struct Body {
    BodyData data;
    Speeds speeds = Speeds::world;
    std::string tag, c, s, x, y, vx, vy, w;  // expressions
    std::string fx, fy, moment;              // sums of them
    Point corner;
  };
  static std::string num(double value) { return fmt::format("({})", value); }
  bool maybe(double chance, const char* trick);
  void write_kinematics(Body& body);
  void write_corner(Body& body);
  void write_dynamics(Body& body);
  std::pair<std::string, std::string> arm(std::size_t a, Point p) const;  // from the centre, in space
  std::pair<std::string, std::string> place(std::size_t a, Point p) const;
  void add_force(std::size_t a, Point p, const std::string& fx, const std::string& fy);
  std::string multiplier();                                              // what acts: a force by some name and factor
  std::string named(const std::string& letter, const std::string& sum);  // the sum, or a variable that is it

  Random* random_;
  Wording words_;
  std::deque<Body> bodies_;
  MechanismText made_;
  int count_ = 0, multipliers_ = 0;
};

}  // namespace driftless::fuzz
