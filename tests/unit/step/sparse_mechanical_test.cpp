// Stages of mechanical problems on patterns beside those with whole matrices: the same residuals, the same corrections.
#include "driftless/step/sparse_mechanical.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/equations/convert.h"
#include "driftless/equations/manifold.h"
#include "driftless/equations/mechanical_model.h"
#include "driftless/step/stage_equations.h"

namespace driftless::sparse_mechanical_test {
namespace {

// Everything that a mechanical form can have: a mass matrix that moves, forces of neighbours and of first-order states,
// constraints that move, of third degree, each stated `copies` times.
struct Train {
  static constexpr std::size_t n = 21, r = 3, m = 7;
  std::size_t copies = 1;

  void mass(auto q, auto t, auto M) const {
    using std::cos;
    for (std::size_t i = 0; i < n; ++i) M(i, i) = 2.0 + q[i] * q[i] + 0.1 * cos(t);
    for (std::size_t i = 0; i + 3 < n; i += 3) M(i, i + 3) = M(i + 3, i) = 0.2 * q[i] * q[i + 1];
  }
  void force(auto q, auto v, auto s, auto t, auto f) const {
    using std::sin;
    for (std::size_t i = 0; i < n; ++i) f[i] = sin(q[i] * v[(i + 1) % n]) - v[i] + s[i % r] * q[i] + t;
  }
  void states(auto q, auto v, auto s, auto, auto out) const {
    for (std::size_t i = 0; i < r; ++i) out[i] = -s[i] * q[i] + v[i + 3];
  }
  void constraint(auto q, auto t, auto g) const {
    for (std::size_t k = 0; k < m * copies; ++k) {
      const std::size_t at = 3 * (k % m);
      g[k] = q[at] * q[at] * q[at + 1] + q[at + 2] + (at > 0 ? 0.3 * q[at - 1] * q[at] : 0.0 * q[0]) - 0.2 * t * q[at];
    }
  }
  Mechanical equations() const { return mechanical(*this, {.q = n, .s = r, .lambda = m * copies}); }
};

using Make = std::unique_ptr<StageEquations> (*)(const Mechanical&);
std::unique_ptr<StageEquations> on_position_level(const Mechanical& form) { return make_stage_equations(form); }
std::unique_ptr<StageEquations> on_velocity_level(const Mechanical& form) {
  return make_stage_equations(as_index2(form));
}
std::unique_ptr<StageEquations> on_both_levels(const Mechanical& form) { return make_stage_equations(as_ggl(form)); }

Vector wave(std::size_t count, double phase) {
  Vector x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = std::sin(1.3 * static_cast<double>(i) + phase) + 0.2;
  return x;
}

// On the constraints of acceleration level, as stages are when they are linearised.
struct Point {
  Vector x, slope;
  explicit Point(const Mechanical& form) : x(wave(form.layout().size(), 0.4)), slope(x.size()) {
    EXPECT_EQ(make_manifold(form)->flow(0.3, x, slope), ManifoldStatus::ok);
  }
};

struct Found {
  Vector residual, real, re, im;
};

Found look(LinearKernel kernel, Make make, const Train& train) {
  const ForcedKernel forced(kernel);
  const Mechanical form = train.equations();
  EXPECT_EQ(SparseMechanicalStage::suits(form), kernel == LinearKernel::sparse);
  const auto stage = make(form);
  const Point point(form);
  const std::size_t size = stage->size();
  Vector x = point.x, slope = point.slope;
  for (Vector* part : {&x, &slope}) part->resize(size, 0.1);  // mu, if it is there
  Found found{Vector(size), wave(size, 1.0), wave(size, 2.0), wave(size, 3.0)};
  // Copies of a constraint agree, whatever the point.
  for (Vector* right : {&found.real, &found.re, &found.im})
    for (std::size_t k = size - Train::m * (train.copies - 1); k < size; ++k) (*right)[k] = (*right)[k - Train::m];
  Vector other = slope;
  for (std::size_t i = 0; i < size; ++i) other[i] += 0.1 * std::cos(static_cast<double>(i));
  stage->residual(0.3, x, other, found.residual);
  stage->reserve(1, 1);
  stage->linearise(0.3, x, slope);
  EXPECT_TRUE(stage->factorise_real(0, 30.0));
  EXPECT_TRUE(stage->factorise_complex(0, {20.0, 15.0}));
  stage->solve_real(0, found.real);
  stage->solve_complex(0, found.re, found.im);
  return found;
}

void expect_same(ConstSpan a, ConstSpan b, std::size_t count, double tolerance, const char* what) {
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_NEAR(a[i], b[i], tolerance * std::max(1.0, std::abs(b[i]))) << what << " " << i;
}

TEST(SparseMechanicalStage, AgreesWithWholeMatrices) {
  for (const Make make :
       {Make{make_acceleration_stage}, Make{on_position_level}, Make{on_velocity_level}, Make{on_both_levels}}) {
    const Found sparse = look(LinearKernel::sparse, make, {}), dense = look(LinearKernel::dense, make, {});
    const std::size_t all = dense.real.size();
    expect_same(sparse.residual, dense.residual, all, 1e-12, "residual");
    expect_same(sparse.real, dense.real, all, 1e-10, "real");
    expect_same(sparse.re, dense.re, all, 1e-10, "re");
    expect_same(sparse.im, dense.im, all, 1e-10, "im");
  }
}

// Constraints stated twice move q, v and s as if they were stated once.
TEST(SparseMechanicalStage, LeavesRedundantRowsOut) {
  const std::size_t states = 2 * Train::n + Train::r;
  for (const Make make : {Make{make_acceleration_stage}, Make{on_position_level}}) {
    const Found twice = look(LinearKernel::sparse, make, {.copies = 2}), dense = look(LinearKernel::dense, make, {2});
    expect_same(twice.residual, dense.residual, states, 1e-9, "residual");
    expect_same(twice.re, dense.re, states, 1e-8, "re");
    expect_same(twice.real, dense.real, states, 1e-8, "real");
  }
}

// The conversions know their derivatives by time, too, on patterns as they do as whole matrices.
TEST(SparseMechanicalStage, ConvertedConstraintsAreDifferentiatedByTime) {
  Vector gradients[2];
  for (const LinearKernel kernel : {LinearKernel::dense, LinearKernel::sparse}) {
    const ForcedKernel forced(kernel);
    const Index2 form = as_ggl(Train{}.equations());
    const std::size_t n = form.u_size(), m = form.lambda_size();
    const auto patterns = form.patterns();
    Vector values(patterns.g.count()), &whole = gradients[kernel == LinearKernel::sparse];
    form.functions().g_values(wave(n, 0.7), 0.3, values);
    whole.assign(m * (n + 1), 0.0);
    for (std::size_t j = 0, k = 0; j <= n; ++j)
      for (; k < patterns.g.begin[j + 1]; ++k) whole[patterns.g.row[k] + j * m] = values[k];
  }
  expect_same(gradients[1], gradients[0], gradients[0].size(), 1e-12, "by (u, t)");
}

}  // namespace
}  // namespace driftless::sparse_mechanical_test
