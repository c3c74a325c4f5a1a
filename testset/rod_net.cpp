// A net of n x n knots of total mass 1 in space, tied to its neighbours by rods that neither stretch nor bend, hung up
// at its upper edge, and pulled apart at its sides by constant forces. It hangs in a plane, and is struck there: its
// knots have velocities across the plane, which no rod hinders. Air resists the motion. Index 3, mechanical; of the
// 8 n^2 - n unknowns are 3 n^2 coordinates, as many velocities, and n^2 + n (n - 1) forces in rods. Source: constructed
// for this test set.
#include "driftless/equations/mechanical_model.h"
#include "testset/generators.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

// Knot (i, j) is in column i and row j, both from 0 on, and hangs at ((i + 1/2) l, -(j + 1) l, 0) with l = 1/n. Rods
// upwards come first, then those to the right.
struct RodNet {
  static constexpr double gravity = 9.81, pull = 5.0, drag = 0.5;
  std::size_t n;

  double length() const { return 1.0 / static_cast<double>(n); }
  double knot_mass() const { return length() * length(); }
  std::size_t coordinate(std::size_t i, std::size_t j, std::size_t axis) const { return 3 * (j * n + i) + axis; }
  std::size_t rod_up(std::size_t i, std::size_t j) const { return j * n + i; }
  std::size_t rod_right(std::size_t i, std::size_t j) const { return n * n + j * (n - 1) + i; }
  double hook(std::size_t i, std::size_t axis) const {
    return axis == 0 ? (static_cast<double>(i) + 0.5) * length() : 0.0;
  }
  // Of the force to the right at the ends of each row.
  double side(std::size_t i) const { return (i + 1 == n ? pull * length() : 0.0) - (i == 0 ? pull * length() : 0.0); }

  void mass(auto, auto, auto M) const {
    for (std::size_t k = 0; k < 3 * n * n; ++k) M(k, k) = knot_mass();
  }
  void force(auto, auto v, auto, auto f) const {
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const std::size_t k = coordinate(i, j, axis);
          f[k] = -drag * knot_mass() * v[k];
        }
        f[coordinate(i, j, 0)] += side(i);
        f[coordinate(i, j, 1)] += -gravity * knot_mass();
      }
  }
  void constraint(auto q, auto, auto g) const {
    const double square = length() * length();
    const auto squared = [](auto d) { return d * d; };
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto& here = q[coordinate(i, j, axis)];
          const double rest = axis == 0 ? square : 0.0;
          auto& up = g[rod_up(i, j)];
          up += 0.5 * ((j > 0 ? squared(here - q[coordinate(i, j - 1, axis)]) : squared(here - hook(i, axis))) - rest);
          if (i + 1 < n) g[rod_right(i, j)] += 0.5 * (squared(here - q[coordinate(i + 1, j, axis)]) - rest);
        }
  }
  double energy(auto q, auto v, double) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double speed = v[coordinate(i, j, axis)];
          sum += 0.5 * knot_mass() * speed * speed;
        }
        sum += gravity * knot_mass() * q[coordinate(i, j, 1)] - side(i) * q[coordinate(i, j, 0)];
      }
    return sum;
  }

  // Across the plane, greatest below and to the left.
  double speed(std::size_t i, std::size_t j) const {
    const double x = (static_cast<double>(i) + 0.5) * length(), y = (static_cast<double>(j) + 1.0) * length();
    return y * (2.0 - y) * (1.0 - 0.5 * x * x);
  }
};

// The tensions s_k in a line of knots with forces f along it, held at its first rod or free, whose rods turn:
//     -s_{k-1} + 2 s_k - s_{k+1} = f_far - f_near + c_k,
// c_k = mass / length times the squared speed at which the ends of rod k pass each other; at a hook it is s_1 - s_2. By
// elimination without pivoting, since the matrix is definite.
Vector tensions(const Vector& f, const Vector& c, bool held) {
  const std::size_t rods = c.size();
  Vector diagonal(rods), s(rods);
  for (std::size_t k = 0; k < rods; ++k) {
    const std::size_t far = held ? k : k + 1;
    diagonal[k] = far > 0 ? 2.0 : 1.0;
    s[k] = f[far] - (far > 0 ? f[far - 1] : 0.0) + c[k];
  }
  for (std::size_t k = 1; k < rods; ++k) {
    diagonal[k] -= 1.0 / diagonal[k - 1];
    s[k] += s[k - 1] / diagonal[k - 1];
  }
  for (std::size_t k = rods; k-- > 0;) s[k] = (s[k] + (k + 1 < rods ? s[k + 1] : 0.0)) / diagonal[k];
  return s;
}

// In the plane, rows and columns do not feel each other.
Vector multipliers_in_the_plane(const RodNet& net) {
  const std::size_t n = net.n;
  const double l = net.length();
  const auto turning = [&](double difference) { return net.knot_mass() / l * difference * difference; };
  Vector lambda(n * n + n * (n - 1));
  for (std::size_t i = 0; i < n; ++i) {
    Vector c(n);
    for (std::size_t j = 0; j < n; ++j) c[j] = turning(net.speed(i, j) - (j > 0 ? net.speed(i, j - 1) : 0.0));
    const Vector s = tensions(Vector(n, RodNet::gravity * net.knot_mass()), c, true);
    for (std::size_t j = 0; j < n; ++j) lambda[net.rod_up(i, j)] = s[j] / l;
  }
  for (std::size_t j = 0; j < n; ++j) {
    Vector f(n), c(n - 1);
    for (std::size_t i = 0; i < n; ++i) f[i] = net.side(i);
    for (std::size_t i = 0; i + 1 < n; ++i) c[i] = turning(net.speed(i + 1, j) - net.speed(i, j));
    const Vector s = tensions(f, c, false);
    for (std::size_t i = 0; i + 1 < n; ++i) lambda[net.rod_right(i, j)] = s[i] / l;
  }
  return lambda;
}

}  // namespace

Equations rod_net(std::size_t n) {
  const RodNet net{n};
  Names q, lambda, rods;
  for (std::size_t j = 1; j <= n; ++j)
    for (std::size_t i = 1; i <= n; ++i)
      for (const char* axis : {"x", "y", "z"}) q.push_back(fmt::format("{}[{},{}]", axis, i, j));
  for (const char* kind : {"up", "right"})
    for (std::size_t j = 1; j <= n; ++j)
      for (std::size_t i = 1; i <= (kind[0] == 'u' ? n : n - 1); ++i) {
        lambda.push_back(fmt::format("{}[{},{}]", kind, i, j));
        rods.push_back(fmt::format("rod {}[{},{}]", kind, i, j));
      }
  return mechanical(net,
                    {.q_names = std::move(q), .lambda_names = std::move(lambda), .constraint_names = std::move(rods)});
}

Vector rod_net_start(std::size_t n) {
  const RodNet net{n};
  Vector q(3 * n * n), v(3 * n * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      q[net.coordinate(i, j, 0)] = net.hook(i, 0);
      q[net.coordinate(i, j, 1)] = -(static_cast<double>(j) + 1.0) * net.length();
      v[net.coordinate(i, j, 2)] = net.speed(i, j);
    }
  return joined({q, v, multipliers_in_the_plane(net)});
}

}  // namespace driftless::testset
