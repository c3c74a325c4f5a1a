// The derivatives of compiled forms are those of their functions.
#include <gtest/gtest.h>

#include <random>

#include "driftless/linalg/linear_system.h"
#include "tests/unit/equations/differences.h"
#include "text_model.h"

namespace driftless::testing_models::structure_functions_test {
namespace {

Matrix differences(std::size_t rows, const Vector& x, const std::function<void(ConstSpan, Span)>& function) {
  return difference_quotients(function, x, rows);
}

void expect_near(const Matrix& a, const Matrix& b, const char* what) {
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i)
      EXPECT_NEAR(a(i, j), b(i, j), 2e-8 * (1.0 + std::abs(b(i, j)))) << what << " " << i << ", " << j;
}

Vector random_vector(std::size_t n) {
  static std::mt19937 random(17);
  Vector x(n);
  for (double& value : x) value = std::uniform_real_distribution(0.2, 1.1)(random);
  return x;
}

ConstSpan part(ConstSpan x, std::size_t begin, std::size_t size) { return x.subspan(begin, size); }

void check(const Index1& form) {
  const auto& f = form.functions();
  const std::size_t n = form.size();
  const Vector x = random_vector(n + 1);
  Matrix j(n, n + 1, 9.0);
  f.f_jacobian(part(x, 0, n), x[n], j);
  expect_near(j, differences(n, x, [&](ConstSpan at, Span out) { f.f(part(at, 0, n), at[n], out); }), "f");
  Vector by_time(n);
  f.f_by_t(part(x, 0, n), x[n], by_time);
  for (std::size_t i = 0; i < n; ++i) EXPECT_DOUBLE_EQ(by_time[i], j(i, n)) << i;
  // The same derivatives on their pattern, and zeros elsewhere.
  const Pattern pattern = form.pattern();
  Vector values(pattern.count(), 9.0);
  f.f_values(part(x, 0, n), x[n], values);
  for (std::size_t column = 0, k = 0; column < n; ++column)
    for (std::size_t row = 0; row < n; ++row) {
      const bool there = k < pattern.begin[column + 1] && pattern.row[k] == row;
      EXPECT_DOUBLE_EQ(there ? values[k] : 0.0, j(row, column)) << row << ", " << column;
      k += there;
    }
}

void check(const Index2& form) {
  const auto& f = form.functions();
  const std::size_t n = form.u_size(), m = form.lambda_size();
  const Vector x = random_vector(n + m + 1), w = random_vector(n);
  const double t = x[n + m];
  Matrix j(n, n + m + 1, 9.0), g(m, n + 1, 9.0);
  f.f_jacobian(part(x, 0, n), part(x, n, m), t, j);
  expect_near(
      j, differences(n, x, [&](ConstSpan at, Span out) { f.f(part(at, 0, n), part(at, n, m), at[n + m], out); }), "f");
  Vector u(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
  u.push_back(t);
  f.g_jacobian(part(u, 0, n), t, g);
  expect_near(g, differences(m, u, [&](ConstSpan at, Span out) { f.g(part(at, 0, n), at[n], out); }), "g");
  if (!f.has_gamma()) return;
  Matrix slope(n, n + 1, 9.0);
  f.gamma_jacobian(part(u, 0, n), t, w, slope);
  const auto times = [&](ConstSpan at, Span out) {
    Matrix gamma(n, n, 9.0);
    f.gamma(part(at, 0, n), at[n], gamma);
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = 0.0;
      for (std::size_t k = 0; k < n; ++k) out[i] += gamma(i, k) * w[k];
    }
  };
  expect_near(slope, differences(n, u, times), "gamma");
}

void check(const Index3& form) {
  const auto& f = form.functions();
  const std::size_t n = form.u_size(), p = form.v_size(), m = form.lambda_size(), all = n + p + m;
  const Vector x = random_vector(all + 1), du = random_vector(n);
  const double t = x[all], dt = 0.7;
  Matrix k(p, all + 1, 9.0);
  f.k_jacobian(part(x, 0, n), part(x, n, p), part(x, n + p, m), t, k);
  expect_near(
      k,
      differences(
          p, x, [&](ConstSpan at, Span out) { f.k(part(at, 0, n), part(at, n, p), part(at, n + p, m), at[all], out); }),
      "k");
  Vector uv(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n + p));
  uv.push_back(t);
  Matrix fj(n, n + p + 1, 9.0);
  f.f_jacobian(part(uv, 0, n), part(uv, n, p), t, fj);
  expect_near(fj,
              differences(n, uv, [&](ConstSpan at, Span out) { f.f(part(at, 0, n), part(at, n, p), at[n + p], out); }),
              "f");
  Vector u(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
  u.push_back(t);
  Matrix g(m, n + 1, 9.0), tangent(m, n + 1, 9.0);
  f.g_jacobian(part(u, 0, n), t, g);
  expect_near(g, differences(m, u, [&](ConstSpan at, Span out) { f.g(part(at, 0, n), at[n], out); }), "g");
  const auto along = [&](ConstSpan at, Span out) {
    Matrix slope(m, n + 1);
    f.g_jacobian(part(at, 0, n), at[n], slope);
    for (std::size_t i = 0; i < m; ++i) {
      out[i] = slope(i, n) * dt;
      for (std::size_t j = 0; j < n; ++j) out[i] += slope(i, j) * du[j];
    }
  };
  f.g_tangent_jacobian(part(u, 0, n), t, du, dt, tangent);
  const Matrix expected = differences(m, u, along);
  expect_near(tangent, expected, "tangent");
  Vector curvature(m);
  f.g_curvature(part(u, 0, n), t, du, dt, curvature);
  for (std::size_t i = 0; i < m; ++i) {
    double sum = expected(i, n) * dt;
    for (std::size_t j = 0; j < n; ++j) sum += expected(i, j) * du[j];
    EXPECT_NEAR(curvature[i], sum, 1e-7) << "curvature";
  }
}

void check(const Mechanical& form) {
  const auto& f = form.functions();
  const std::size_t n = form.q_size(), r = form.s_size(), m = form.lambda_size(), all = 2 * n + r;
  const Vector x = random_vector(all + 1), w = random_vector(n), lambda = random_vector(m);
  const double t = x[all], dt = 0.7;
  const ConstSpan q = part(x, 0, n), v = part(x, n, n), s = part(x, 2 * n, r);
  Matrix force(n, all + 1, 9.0), states(r, all + 1, 9.0);
  f.force_jacobian(q, v, s, t, force);
  const auto parts = [&](ConstSpan at, auto call) {
    call(part(at, 0, n), part(at, n, n), part(at, 2 * n, r), at[all]);
  };
  expect_near(force,
              differences(n, x,
                          [&](ConstSpan at, Span out) {
                            parts(at, [&](auto a, auto b, auto c, double time) { f.force(a, b, c, time, out); });
                          }),
              "force");
  f.states_jacobian(q, v, s, t, states);
  expect_near(states,
              differences(r, x,
                          [&](ConstSpan at, Span out) {
                            parts(at, [&](auto a, auto b, auto c, double time) { f.states(a, b, c, time, out); });
                          }),
              "states");
  Vector qt(q.begin(), q.end());
  qt.push_back(t);
  Matrix g(m, n + 1, 9.0), reaction(n, n + 1, 9.0), mass_slope(n, n + 1, 9.0), curvature_slope(m, n + 1, 9.0);
  f.constraint_jacobian(q, t, g);
  expect_near(g, differences(m, qt, [&](ConstSpan at, Span out) { f.constraint(part(at, 0, n), at[n], out); }), "g");
  f.reaction_jacobian(q, t, lambda, reaction);
  expect_near(reaction,
              differences(n, qt,
                          [&](ConstSpan at, Span out) {
                            Matrix slope(m, n + 1);
                            f.constraint_jacobian(part(at, 0, n), at[n], slope);
                            for (std::size_t j = 0; j < n; ++j) {
                              out[j] = 0.0;
                              for (std::size_t i = 0; i < m; ++i) out[j] += slope(i, j) * lambda[i];
                            }
                          }),
              "reaction");
  f.constraint_curvature_jacobian(q, t, w, dt, curvature_slope);
  expect_near(
      curvature_slope,
      differences(m, qt, [&](ConstSpan at, Span out) { f.constraint_curvature(part(at, 0, n), at[n], w, dt, out); }),
      "curvature");
  Vector rate(m), generic_rate(m);
  f.constraint_rate(q, t, w, dt, rate);
  f.Mechanical::Functions::constraint_rate(q, t, w, dt, generic_rate);
  for (std::size_t i = 0; i < m; ++i) EXPECT_NEAR(rate[i], generic_rate[i], 1e-13);

  if (f.has_mass()) {
    f.mass_jacobian(q, t, w, mass_slope);
    expect_near(mass_slope,
                differences(n, qt,
                            [&](ConstSpan at, Span out) {
                              Matrix mass(n, n);
                              f.mass(part(at, 0, n), at[n], mass);
                              for (std::size_t i = 0; i < n; ++i) {
                                out[i] = 0.0;
                                for (std::size_t k = 0; k < n; ++k) out[i] += mass(i, k) * w[k];
                              }
                            }),
                "mass");
  }

  // What is computed together is what the parts are, whole or compressed.
  const std::size_t k = f.has_mass() ? n : 0;
  Matrix mass(k, k), jacobian(m, n), mass_parts(k, k), jacobian_parts(m, n);
  Vector forces(n), curvature(m), forces_parts(n), curvature_parts(m);
  f.dynamics(q, v, s, t, mass, forces, jacobian, curvature);
  f.Mechanical::Functions::dynamics(q, v, s, t, mass_parts, forces_parts, jacobian_parts, curvature_parts);
  expect_near(mass, mass_parts, "mass of dynamics");
  expect_near(jacobian, jacobian_parts, "G of dynamics");
  ASSERT_NE(f.structure(), nullptr);
  const auto& structure = *f.structure();
  Vector values(structure.mass.count()), g_values(structure.jacobian.count()), values2 = values, g_values2 = g_values,
                                                                               rates(m), rates2(m);
  f.sparse_dynamics(q, v, s, t, values, forces, g_values, curvature);
  f.Mechanical::Functions::sparse_dynamics(q, v, s, t, values2, forces_parts, g_values2, curvature_parts);
  const auto equal = [](const Vector& a, const Vector& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-13 * (1.0 + std::abs(b[i])));
  };
  equal(values, values2);
  equal(g_values, g_values2);
  equal(forces, forces_parts);
  equal(curvature, curvature_parts);
  f.sparse_gradients(q, t, values, g_values, rates);
  f.Mechanical::Functions::sparse_gradients(q, t, values2, g_values2, rates2);
  equal(values, values2);
  equal(g_values, g_values2);
  equal(rates, rates2);
}

// Of everything, beside differences by (q, v, t), (q, v, s, t) or (q, t).
void check(const WideMechanical& form) {
  const auto& f = form.functions();
  const std::size_t n = form.q_size(), p = form.v_size(), r = form.s_size(), m = form.rows(), g = form.holonomic();
  const Vector x = random_vector(n + p + r + 1), a = random_vector(p), multipliers = random_vector(m);
  const double t = x[n + p + r];
  const ConstSpan q = part(x, 0, n), v = part(x, n, p), s = part(x, n + p, r);
  Vector qvt(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n + p)), qt(q.begin(), q.end());
  qvt.push_back(t);
  qt.push_back(t);
  const auto by_qvt = [&](std::size_t rows, const char* what, auto jacobian, auto function) {
    Matrix found(rows, n + p + 1, 9.0);
    jacobian(q, v, t, found.view());
    expect_near(found,
                differences(rows, qvt,
                            [&](ConstSpan at, Span out) { function(part(at, 0, n), part(at, n, p), at[n + p], out); }),
                what);
  };
  const auto by_qvst = [&](std::size_t rows, const char* what, auto jacobian, auto function) {
    Matrix found(rows, n + p + r + 1, 9.0);
    jacobian(found.view());
    expect_near(found,
                differences(rows, x,
                            [&](ConstSpan at, Span out) {
                              function(part(at, 0, n), part(at, n, p), part(at, n + p, r), at[n + p + r], out);
                            }),
                what);
  };
  const auto by_qt = [&](std::size_t rows, const char* what, auto jacobian, auto function) {
    Matrix found(rows, n + 1, 9.0);
    jacobian(found.view());
    expect_near(found, differences(rows, qt, [&](ConstSpan at, Span out) { function(part(at, 0, n), at[n], out); }),
                what);
  };
  by_qvt(
      n, "rates", [&](auto b, auto c, double d, auto j) { f.rates_jacobian(b, c, d, j); },
      [&](auto b, auto c, double d, Span out) { f.rates(b, c, d, out); });
  by_qvt(
      m, "velocity rows", [&](auto b, auto c, double d, auto j) { f.velocity_jacobian(b, c, d, j); },
      [&](auto b, auto c, double d, Span out) { f.velocity_rows(b, c, d, out); });
  by_qvt(
      m, "acceleration rows", [&](auto b, auto c, double d, auto j) { f.acceleration_jacobian(b, c, a, d, j); },
      [&](auto b, auto c, double d, Span out) { f.acceleration_rows(b, c, a, d, out); });
  by_qvst(
      p, "force", [&](auto j) { f.force_jacobian(q, v, s, t, j); },
      [&](auto b, auto c, auto d, double e, Span out) { f.force(b, c, d, e, out); });
  by_qvst(
      r, "states", [&](auto j) { f.states_jacobian(q, v, s, t, j); },
      [&](auto b, auto c, auto d, double e, Span out) { f.states(b, c, d, e, out); });
  by_qt(
      g, "g", [&](auto j) { f.constraint_jacobian(q, t, j); },
      [&](auto b, double c, Span out) { f.constraint(b, c, out); });
  by_qt(
      p, "momentum", [&](auto j) { f.momentum_jacobian(q, t, a, j); },
      [&](auto b, double c, Span out) {
        Matrix mass(p, p);
        f.mass(b, c, mass);
        for (std::size_t i = 0; i < p; ++i) {
          out[i] = 0.0;
          for (std::size_t k = 0; k < p; ++k) out[i] += mass(i, k) * a[k];
        }
      });
  by_qt(
      p, "reaction", [&](auto j) { f.reaction_jacobian(q, t, multipliers, j); },
      [&](auto b, double c, Span out) {
        Matrix directions(m, p);
        f.directions(b, c, directions);
        for (std::size_t k = 0; k < p; ++k) {
          out[k] = 0.0;
          for (std::size_t i = 0; i < m; ++i) out[k] += directions(i, k) * multipliers[i];
        }
      });
  // What is computed together is what the parts are; the rows are derivatives of each other along the motion.
  Matrix mass(p, p), mass_parts(p, p), c(m, p), c_parts(m, p), velocity(m, n + p + 1);
  Vector force(p), force_parts(p), curvature(m), curvature_parts(m), rate(n), rate_parts(n), second(m);
  f.dynamics(q, v, s, t, mass, force, c, curvature, rate);
  f.WideMechanical::Functions::dynamics(q, v, s, t, mass_parts, force_parts, c_parts, curvature_parts, rate_parts);
  expect_near(mass, mass_parts, "mass of dynamics");
  expect_near(c, c_parts, "C of dynamics");
  f.velocity_jacobian(q, v, t, velocity);
  f.acceleration_rows(q, v, a, t, second);
  for (std::size_t i = 0; i < m; ++i) {
    EXPECT_NEAR(curvature[i], curvature_parts[i], 1e-13);
    double along = velocity(i, n + p);
    for (std::size_t k = 0; k < n; ++k) along += velocity(i, k) * rate[k];
    for (std::size_t k = 0; k < p; ++k) along += velocity(i, n + k) * a[k];
    EXPECT_NEAR(second[i], along, 1e-12);
  }
}

struct Case {
  const char *name, *declarations, *equations;
  std::size_t form;  // index in Equations
};

class Derivatives : public testing::TestWithParam<Case> {};

TEST_P(Derivatives, AreThoseOfTheFunctions) {
  for (const Engine engine : {Engine::automatic, Engine::interpreter}) {
    const CompiledModel model = compiled(flat(GetParam().declarations, GetParam().equations), {.engine = engine});
    const Equations equations = model.equations(Vector(8, 1.0));
    EXPECT_EQ(equations.index(), GetParam().form) << model.form();
    for (int trial = 0; trial < 3; ++trial) std::visit([](const auto& form) { check(form); }, equations);
  }
}

// On a pattern even where a dense matrix would be quicker.
TEST(SparseDerivatives, AreThoseOfTheFunctions) {
  const ForcedKernel forced(LinearKernel::sparse);
  const CompiledModel model =
      compiled(flat("Real x(start = 1), y, z;", "der(x) = -x*y + sin(time); der(y) = z - x; z + exp(z) = x*y*time;"));
  const Equations equations = model.equations(Vector(8, 1.0));
  const Index1& form = std::get<Index1>(equations);
  ASSERT_NE(form.functions().pattern(), nullptr);
  EXPECT_EQ(form.pattern().count(), 7u);
  check(form);
}

const Case cases[] = {
    {"Index1", "Real x(start = 1), y, z;", "der(x) = -x*y + sin(time); der(y) = z - x; z + exp(z) = x*y*time;", 0},
    {"Index1Matrix", "Real x(start = 1), y, z;",
     "(1 + x^2)*der(x) + z*der(y) = -x; x*der(x) + (3 + x*y)*der(y) = z*time; z + z^3 = y;", 0},
    {"Index1Singular", "Real x(start = 1), y, z;",
     "2*der(x) - 2*der(y) = -x*z; 2*der(y) - 2*der(x) = sin(y)*time; der(z) = -z*x;", 0},
    {"Index2", "Real x(start = 1), y, l;", "der(x) = -l^2*x + y; der(y) = l*y*time; x^2 + sin(y) = exp(-time);", 1},
    {"Index2Matrix", "Real x(start = 1), y, l;",
     "(2 + y^2)*der(x) + x*time*der(y) = -l*x; x*time*der(x) + 3*der(y) = -l*y - x; x^2 + y^2 = 1;", 1},
    {"Index2MatrixWithMultiplier", "Real x(start = 1), y, l(start = 0.5);",
     "(2 + l^2)*der(x) + x*l*der(y) = -l*x; x*der(x) + 3*der(y) = -l*y - x; x^2 + y^2 = 1;", 1},
    {"Index2Loop", "Real x(start = 1), y, l, f;",
     "der(x) = -l*x + f; der(y) = -l*y; x^2 + y^2 = 1; f + f^3 = l*x + time;", 1},
    {"Index3", "Real x(start = 1), y, u, v, l;",
     "der(x) = u*cos(y); der(y) = v + x*u; der(u) = -l^3*x; der(v) = -l*y*u + time; x^2*y + y^3 = 2*time;", 2},
    {"Index3Matrix", "Real x(start = 1), y, u, v, l;",
     "(2 + x^2)*der(x) + y*der(y) = u; y*der(x) + 3*der(y) = v; (1 + u^2)*der(u) + v*der(v) = -l*x*der(x); "
     "v*der(u) + (4 + x)*der(v) = -l*y; x^2 + y^2 = 1 + time;",
     2},
    {"Mechanical", "Real x(start = 1), y, u, v, l;",
     "der(x) = u; der(y) = v; der(u) = -2*l*x - u*y; der(v) = -2*l*y - sin(time)*v; x^2 + y^2 = 1 + time^2;", 3},
    {"MechanicalMassStates", "Real a(start = 0.4), b(start = 0.3), c, u, v, w, s, l, k;",
     "der(a) = u; der(b) = v; der(c) = w; (2 + cos(b))*der(u) + sin(a)*der(v) = -l*cos(a) - s*u*time; "
     "sin(a)*der(u) + 3*der(v) = -l*cos(b) - k*(1) + b; (1 + time)*der(w) = -3*k - c; der(s) = a*w - s^2; "
     "sin(a) + sin(b) = 0.5*time; b + 3*c = time^3;",
     3},
    {"Wide", "Real x(start = 0.8), y(start = -0.6), z(start = 0.3), u(start = 0.3), v, w, s, l, k;",
     "der(x) = (1 + y^2)*u; der(y) = v + x*u*time; der(z) = w + x*v; der(s) = x*w - s^2;"
     "(2 + x^2)*der(u) + y*der(v) = -l*(2*x*(1 + y^2) + 2*y*x*time) - k*z - s*u*time;"
     "y*der(u) + 3*der(v) = -l*2*y - k*sin(x) + z; (1 + z^2)*der(w) = -k*(2 + time) - w^2;"
     "x^2 + y^2 = 1 + time^2; z*u + v*sin(x) + w*(2 + time) = time;",
     4},
};

INSTANTIATE_TEST_SUITE_P(Structure, Derivatives, testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace driftless::testing_models::structure_functions_test
