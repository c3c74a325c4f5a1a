// A car axis on a bumpy road: two masses on springs, the left wheel fixed, the right one moving up and down.
// Source: CWI/Bari test set, where the multipliers have the opposite sign. The two published references are right to 9
// and 7 digits only; the digits here are trusted to 24 places.
#include <cmath>

#include "driftless/equations/mechanical_model.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

struct CarAxis {
  static constexpr double epsilon = 1e-2, total_mass = 10.0, width = 1.0, rest_length = 0.5, bump = 0.1, omega = 10.0,
                          gravity = 1.0;
  static constexpr double k = total_mass * epsilon * epsilon / 2.0;
  enum : std::size_t { xl, yl, xr, yr };

  template <class T>
  struct Wheel {
    T x, y;
  };
  template <class T>
  static Wheel<T> right_wheel(const T& t) {
    using std::sin, std::sqrt;
    const T y = bump * sin(omega * t);
    return {sqrt(width * width - y * y), y};
  }

  void mass(auto, auto, auto M) const {
    for (std::size_t i = 0; i < 4; ++i) M(i, i) = k;
  }
  void force(auto q, auto, auto t, auto f) const {
    using std::sqrt;
    const auto wheel = right_wheel(t);
    const auto dx = q[xr] - wheel.x, dy = q[yr] - wheel.y;
    const auto left = sqrt(q[xl] * q[xl] + q[yl] * q[yl]);
    const auto right = sqrt(dx * dx + dy * dy);
    f[xl] = (rest_length - left) * q[xl] / left;
    f[yl] = (rest_length - left) * q[yl] / left - k * gravity;
    f[xr] = (rest_length - right) * dx / right;
    f[yr] = (rest_length - right) * dy / right - k * gravity;
  }
  void constraint(auto q, auto t, auto g) const {
    const auto wheel = right_wheel(t);
    const auto dx = q[xl] - q[xr], dy = q[yl] - q[yr];
    g[0] = wheel.x * q[xl] + wheel.y * q[yl];
    g[1] = dx * dx + dy * dy - width * width;
  }
};

}  // namespace

Problem car_axis_problem() {
  Mechanical equations = mechanical(
      CarAxis{}, {.q_names = {"xl", "yl", "xr", "yr"}, .constraint_names = {"perpendicular", "axis length"}});
  return {
      .title = "Car axis",
      .source = "CWI/Bari test set for initial value problems",
      .notes = "The constraint depends on time. Multipliers are small (1e-3), as the mass is 5e-4.",
      .equations = std::move(equations),
      .start = {0.0, 0.5, 1.0, 0.5, -0.5, 0.0, -0.5, 0.0, 0.0, 0.0},
      .references = {{3.0,
                      {4.9345578427524092131526793e-2, 4.9698946023000810676293397e-1, 1.0417425248854261151947762e+0,
                       3.7391102726536581935789770e-1, -7.7058368403592084283940558e-2, 7.4468665920684164914017532e-3,
                       1.7556815753541736629740615e-2, 7.7034104377960106312064279e-1, 4.7368865908533265153134760e-3,
                       1.1046803312595658398606007e-3}}},
      .trusted_digits = 24};
}

}  // namespace driftless::testset
