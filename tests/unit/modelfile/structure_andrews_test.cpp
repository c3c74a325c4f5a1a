// Andrews' mechanism from a flat model has the functions of the one that is written in C++.
#include <random>

#include "andrews_model.h"
#include "run_model.h"
#include "testset/problem.h"

namespace driftless::testing_models::structure_andrews_test {
namespace {

FlatModel andrews() {
  const auto problem = testset::problem("andrews_squeezer");
  std::array<double, 14> start{};
  std::copy_n(problem.start.begin(), 14, start.begin());
  return andrews_model(start);
}

double largest(ConstMatrixView a) {
  double size = 0.0;
  for (std::size_t j = 0; j < a.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i) size = std::max(size, std::abs(a(i, j)));
  return size;
}

void expect_equal(const Matrix& a, const Matrix& b, const char* what) {
  const double size = largest(b);
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i)
      EXPECT_NEAR(a(i, j), b(i, j), 1e-12 * size) << what << " " << i << ", " << j;
}

struct Both {
  const Mechanical::Functions &a, &b;

  void matrix(const char* what, std::size_t rows, std::size_t columns, auto call) const {
    Matrix x(rows, columns, 7.0), y(rows, columns, 7.0);
    call(a, x.view());
    call(b, y.view());
    expect_equal(x, y, what);
  }
  void vector(const char* what, std::size_t rows, auto call) const {
    matrix(what, rows, 1, [&](const auto& f, MatrixView out) { call(f, out.column(0)); });
  }
};

TEST(Andrews, HasTheFunctionsOfTheReferenceProblem) {
  const auto problem = testset::problem("andrews_squeezer");
  for (const Engine engine : {Engine::automatic, Engine::interpreter}) {
    const CompiledModel model = compiled(andrews(), {.engine = engine});
    EXPECT_EQ(model.index(), 3);
    const Equations equations = model.equations({});
    ASSERT_TRUE(std::holds_alternative<Mechanical>(equations));
    const Both both{std::get<Mechanical>(equations).functions(), std::get<Mechanical>(problem.equations).functions()};
    std::mt19937 random(3);
    std::uniform_real_distribution<double> near(-0.4, 0.4);
    for (int trial = 0; trial < 5; ++trial) {
      Vector q(7), v(7), a(7), lambda(6);
      for (std::size_t i = 0; i < 7; ++i) {
        q[i] = problem.start[i] + near(random);
        v[i] = 10.0 * near(random);
        a[i] = 100.0 * near(random);
      }
      for (double& x : lambda) x = near(random);
      const double t = 0.01, dt = 0.3;
      both.matrix("mass", 7, 7, [&](const auto& f, auto out) { f.mass(q, t, out); });
      both.vector("force", 7, [&](const auto& f, auto out) { f.force(q, v, {}, t, out); });
      both.vector("constraint", 6, [&](const auto& f, auto out) { f.constraint(q, t, out); });
      both.matrix("force_jacobian", 7, 15, [&](const auto& f, auto out) { f.force_jacobian(q, v, {}, t, out); });
      both.matrix("constraint_jacobian", 6, 8, [&](const auto& f, auto out) { f.constraint_jacobian(q, t, out); });
      both.matrix("mass_jacobian", 7, 8, [&](const auto& f, auto out) { f.mass_jacobian(q, t, a, out); });
      both.matrix("reaction_jacobian", 7, 8, [&](const auto& f, auto out) { f.reaction_jacobian(q, t, lambda, out); });
      both.matrix("constraint_tangent_jacobian", 6, 8,
                  [&](const auto& f, auto out) { f.constraint_tangent_jacobian(q, t, v, dt, out); });
      both.vector("constraint_curvature", 6,
                  [&](const auto& f, auto out) { f.constraint_curvature(q, t, v, dt, out); });
      both.matrix("constraint_curvature_jacobian", 6, 8,
                  [&](const auto& f, auto out) { f.constraint_curvature_jacobian(q, t, v, dt, out); });
      both.matrix("constraint_curving", 6, 8, [&](const auto& f, auto out) {
        f.constraint_curving(q, t, v, out.block(0, 0, 6, 7), out.column(7));
      });
      both.matrix("constraint_jacobians", 6, 24, [&](const auto& f, auto out) {
        f.constraint_jacobians(q, t, v, a, out.block(0, 0, 6, 8), out.block(0, 8, 6, 8), out.block(0, 16, 6, 8));
      });
    }
  }
}

TEST(Andrews, ReachesTheReferenceSolution) {
  const auto problem = testset::problem("andrews_squeezer");
  const RunResult r = run(compiled(andrews()), problem.references[0].time, 1e-9);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(r.state[i], problem.references[0].state[i], 1e-6) << i;
}

}  // namespace
}  // namespace driftless::testing_models::structure_andrews_test
