// The reference problems against themselves: starts, reference digits and closed forms must satisfy the equations as
// coded, with every derivative taken from the Functions that integrators use, and the references must lie on the
// trajectories.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/linalg/lu.h"
#include "testset/problem.h"

namespace driftless::testset::testset_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// One residual of the constraints or of what follows from them by differentiation.
struct Condition {
  std::string what;
  VectorXd residual, scale;  // scale: the size of the terms that were added up
};
using Conditions = std::vector<Condition>;

VectorXd vector(ConstSpan x) { return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())); }
Span span(VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
ConstSpan span(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
MatrixXd matrix(const Matrix& m) {
  return Eigen::Map<const MatrixXd>(m.data(), static_cast<Eigen::Index>(m.rows()), static_cast<Eigen::Index>(m.cols()));
}
MatrixView view(MatrixXd& m) {
  const auto rows = static_cast<std::size_t>(m.rows());
  return {m.data(), rows, static_cast<std::size_t>(m.cols()), rows};
}
template <class Fill>
VectorXd filled(std::size_t n, Fill&& fill) {
  VectorXd x(n);
  fill(span(x));
  return x;
}
template <class Fill>
MatrixXd filled(std::size_t rows, std::size_t cols, Fill&& fill) {
  MatrixXd m(rows, cols);
  fill(view(m));
  return m;
}
bool known(ConstSpan x) {
  return std::none_of(x.begin(), x.end(), [](double value) { return std::isnan(value); });
}
VectorXd sum_of_sizes(const MatrixXd& j, const VectorXd& x) { return j.cwiseAbs() * x.cwiseAbs(); }
VectorXd joined(std::initializer_list<VectorXd> parts) {
  Vector all;
  for (const VectorXd& part : parts) all.insert(all.end(), part.begin(), part.end());
  return vector(all);
}
VectorXd with_time(const VectorXd& x, double t) { return joined({x, VectorXd::Constant(1, t)}); }

// With the library's own elimination: Eigen's would double the time to compile this file.
RealLu factorised(const MatrixXd& a) {
  RealLu lu(static_cast<std::size_t>(a.rows()));
  std::copy(a.data(), a.data() + a.size(), lu.matrix().data());
  EXPECT_TRUE(lu.factorise());
  return lu;
}
VectorXd solved(const MatrixXd& a, VectorXd b) {
  factorised(a).solve(span(b));
  return b;
}
MatrixXd inverse_of(const MatrixXd& a) {
  const RealLu lu = factorised(a);
  MatrixXd columns = MatrixXd::Identity(a.rows(), a.cols());
  for (std::size_t j = 0; j < lu.size(); ++j) lu.solve(view(columns).column(j));
  return columns;
}

// ---- Mechanical: q, v, lambda ----

struct MechanicalAt {
  VectorXd q, v, lambda, force, curvature;
  MatrixXd mass, jacobian;  // the last with the column for time

  MechanicalAt(const Mechanical& form, ConstSpan x, double t) {
    const auto& f = form.functions();
    const std::size_t n = form.q_size(), m = form.lambda_size();
    q = vector(x.subspan(0, n));
    v = vector(x.subspan(n, n));
    lambda = vector(x.subspan(2 * n, m));
    force = filled(n, [&](Span out) { f.force(span(q), span(v), {}, t, out); });
    mass = MatrixXd::Identity(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    if (f.has_mass()) f.mass(span(q), t, view(mass));
    jacobian = filled(m, n + 1, [&](MatrixView j) { f.constraint_jacobian(span(q), t, j); });
    curvature = filled(m, [&](Span out) { f.constraint_curvature(span(q), t, span(v), 1.0, out); });
  }
  MatrixXd gradient() const { return jacobian.leftCols(q.size()); }
};

VectorXd slope(const Mechanical& form, ConstSpan x, double t) {
  const MechanicalAt at(form, x, t);
  return joined({at.v, solved(at.mass, at.force - at.gradient().transpose() * at.lambda)});
}

Conditions conditions(const Mechanical& form, ConstSpan x, double t) {
  const MechanicalAt at(form, x, t);
  const MatrixXd inverse = inverse_of(at.mass);
  const VectorXd a = inverse * (at.force - at.gradient().transpose() * at.lambda);
  const VectorXd a_size =
      sum_of_sizes(inverse, at.force.cwiseAbs() + sum_of_sizes(at.gradient().transpose(), at.lambda));
  const VectorXd g = filled(form.lambda_size(), [&](Span out) { form.functions().constraint(span(at.q), t, out); });
  return {{"position", g, sum_of_sizes(at.jacobian, with_time(at.q, t))},
          {"velocity", at.jacobian * with_time(at.v, 1.0), sum_of_sizes(at.jacobian, with_time(at.v, 1.0))},
          {"acceleration", at.gradient() * a + at.curvature,
           sum_of_sizes(at.gradient(), a_size) + at.curvature.cwiseAbs()}};
}

// The multipliers that the equations ask for at (q, v). Where constraints depend on each other, the tiny addition to
// the diagonal selects the smallest ones.
void solve_multipliers(const Mechanical& form, Span x, double t) {
  const MechanicalAt at(form, x, t);
  const MatrixXd weighted = at.gradient() * inverse_of(at.mass);
  MatrixXd schur = weighted * at.gradient().transpose();
  schur.diagonal() *= 1.0 + 1e-13;
  const VectorXd lambda = solved(schur, weighted * at.force + at.curvature);
  std::copy(lambda.begin(), lambda.end(), x.end() - lambda.size());
}

// ---- Index 3: u, v, lambda ----

struct Index3At {
  VectorXd u, v, lambda, f, k, g, curvature;
  MatrixXd fx, kx, gx;

  Index3At(const Index3& form, ConstSpan x, double t) {
    const auto& fun = form.functions();
    const std::size_t n = form.u_size(), p = form.v_size(), m = form.lambda_size();
    u = vector(x.subspan(0, n));
    v = vector(x.subspan(n, p));
    lambda = vector(x.subspan(n + p, m));
    f = filled(n, [&](Span out) { fun.f(span(u), span(v), t, out); });
    k = filled(p, [&](Span out) { fun.k(span(u), span(v), span(lambda), t, out); });
    g = filled(m, [&](Span out) { fun.g(span(u), t, out); });
    fx = filled(n, n + p + 1, [&](MatrixView j) { fun.f_jacobian(span(u), span(v), t, j); });
    kx = filled(p, n + p + m + 1, [&](MatrixView j) { fun.k_jacobian(span(u), span(v), span(lambda), t, j); });
    gx = filled(m, n + 1, [&](MatrixView j) { fun.g_jacobian(span(u), t, j); });
    curvature = filled(m, [&](Span out) { fun.g_curvature(span(u), t, span(f), 1.0, out); });
  }
  VectorXd flow() const { return with_time(joined({f, k}), 1.0); }
};

VectorXd slope(const Index3& form, ConstSpan x, double t) {
  const Index3At at(form, x, t);
  return joined({at.f, at.k});
}

Conditions conditions(const Index3& form, ConstSpan x, double t) {
  const Index3At at(form, x, t);
  const auto n = at.u.size();
  return {{"position", at.g, sum_of_sizes(at.gx, with_time(at.u, t))},
          {"velocity", at.gx * with_time(at.f, 1.0), sum_of_sizes(at.gx, with_time(at.f, 1.0))},
          {"acceleration", at.gx.leftCols(n) * (at.fx * at.flow()) + at.curvature,
           sum_of_sizes(at.gx.leftCols(n), sum_of_sizes(at.fx, at.flow())) + at.curvature.cwiseAbs()}};
}

void solve_multipliers(const Index3& form, Span x, double t) {
  for (int iteration = 0; iteration < 5; ++iteration) {
    const Index3At at(form, x, t);
    const auto n = at.u.size(), p = at.v.size(), m = at.lambda.size();
    const MatrixXd by_lambda = at.gx.leftCols(n) * at.fx.middleCols(n, p) * at.kx.middleCols(n + p, m);
    const VectorXd change = solved(by_lambda, conditions(form, x, t)[2].residual);
    for (Eigen::Index i = 0; i < m; ++i) x[static_cast<std::size_t>(n + p + i)] -= change[i];
  }
}

// ---- Index 2: u, lambda ----

struct Index2At {
  VectorXd u, lambda, f, g;
  MatrixXd gx, inverse;

  Index2At(const Index2& form, ConstSpan x, double t) {
    const auto& fun = form.functions();
    const std::size_t n = form.u_size(), m = form.lambda_size();
    u = vector(x.subspan(0, n));
    lambda = vector(x.subspan(n, m));
    f = filled(n, [&](Span out) { fun.f(span(u), span(lambda), t, out); });
    g = filled(m, [&](Span out) { fun.g(span(u), t, out); });
    gx = filled(m, n + 1, [&](MatrixView j) { fun.g_jacobian(span(u), t, j); });
    inverse = MatrixXd::Identity(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    if (fun.has_gamma()) inverse = inverse_of(filled(n, n, [&](MatrixView out) { fun.gamma(span(u), t, out); }));
  }
  VectorXd du() const { return inverse * f; }
  VectorXd velocity() const { return gx * with_time(du(), 1.0); }
};

MatrixXd f_jacobian(const Index2& form, const Index2At& at, double t) {
  return filled(form.u_size(), form.layout().size() + 1,
                [&](MatrixView j) { form.functions().f_jacobian(span(at.u), span(at.lambda), t, j); });
}

VectorXd slope(const Index2& form, ConstSpan x, double t) { return Index2At(form, x, t).du(); }

Conditions conditions(const Index2& form, ConstSpan x, double t) {
  const Index2At at(form, x, t);
  const MatrixXd fx = f_jacobian(form, at, t);
  const VectorXd f_size = at.f.cwiseAbs() + sum_of_sizes(fx, with_time(joined({at.u, at.lambda}), t));
  const VectorXd du_size = sum_of_sizes(at.inverse, f_size);
  return {{"position", at.g, sum_of_sizes(at.gx, with_time(at.u, t))},
          {"velocity", at.velocity(), sum_of_sizes(at.gx, with_time(du_size, 1.0))}};
}

void solve_multipliers(const Index2& form, Span x, double t) {
  const auto n = form.u_size(), m = form.lambda_size();
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; m > 0 && iteration < 8; ++iteration) {
    const Index2At at(form, x, t);
    const VectorXd residual = at.velocity();
    const double left = residual.lpNorm<Eigen::Infinity>();
    const double rounding = 1e-14 * sum_of_sizes(at.gx, with_time(at.du(), 1.0)).maxCoeff();
    if (left <= rounding || left >= 0.5 * before) return;
    before = left;
    const MatrixXd fx = f_jacobian(form, at, t);
    const VectorXd change = solved(at.gx.leftCols(n) * at.inverse * fx.middleCols(n, m), residual);
    for (std::size_t i = 0; i < m; ++i) x[n + i] -= change[static_cast<Eigen::Index>(i)];
  }
}

// ---- Index 1: x; all of it is differential once P x' = f is completed by the derivative of Q f = 0 ----

struct Index1At {
  VectorXd x, f;
  MatrixXd fx, p, q;

  Index1At(const Index1& form, ConstSpan state, double t)
      : x(vector(state)), p(matrix(form.projector())), q(matrix(form.complement())) {
    f = filled(state.size(), [&](Span out) { form.functions().f(state, t, out); });
    fx = filled(state.size(), state.size() + 1, [&](MatrixView j) { form.functions().f_jacobian(state, t, j); });
  }
};

VectorXd slope(const Index1& form, ConstSpan x, double t) {
  const Index1At at(form, x, t);
  const MatrixXd whole = at.p + at.q * at.fx.leftCols(at.x.size());
  return solved(whole, at.p * at.f - at.q * at.fx.rightCols(1));
}

Conditions conditions(const Index1& form, ConstSpan x, double t) {
  const Index1At at(form, x, t);
  return {{"constraint", at.q * at.f, sum_of_sizes(at.q, sum_of_sizes(at.fx, with_time(at.x, t)))}};
}

void solve_multipliers(const Index1&, Span, double) {}

// ---- All forms ----

Conditions conditions(const Equations& equations, ConstSpan x, double t) {
  return std::visit([&](const auto& form) { return conditions(form, x, t); }, equations);
}
// The derivatives of all differential components.
VectorXd slope(const Equations& equations, ConstSpan x, double t) {
  return std::visit([&](const auto& form) { return slope(form, x, t); }, equations);
}
void solve_multipliers(const Equations& equations, Span x, double t) {
  std::visit([&](const auto& form) { solve_multipliers(form, x, t); }, equations);
}

// How many of the conditions can be judged: each needs one block of the state more than the one before.
std::size_t judgeable(const Layout& layout, ConstSpan x) {
  std::size_t count = 0;
  for (const Block& block : layout.blocks()) {
    if (!known(block.of(x))) break;
    if (block.size > 0) ++count;
  }
  return count;
}

std::size_t expect_satisfied(const Problem& p, ConstSpan x, double t, double tolerance) {
  const Conditions all = conditions(p.equations, x, t);
  const std::size_t count = std::min(all.size(), judgeable(layout_of(p.equations), x));
  for (std::size_t c = 0; c < count; ++c) {
    if (all[c].residual.size() == 0) continue;
    const double scale = all[c].scale.maxCoeff();
    for (Eigen::Index i = 0; i < all[c].residual.size(); ++i)
      EXPECT_LE(std::abs(all[c].residual[i]), tolerance * scale) << fmt::format("{} {} at t = {}", all[c].what, i, t);
  }
  return count;
}

// References at corners are limits from the left.
double left_of_corner(const Problem& p, double t) {
  const double shifted = t * (1.0 - 4e-16);
  return std::find(p.corners.begin(), p.corners.end(), t) == p.corners.end() ? t : shifted;
}

class EveryProblem : public testing::TestWithParam<std::string> {
 protected:
  const Problem p = problem(GetParam());
};

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Testset, EveryProblem, testing::ValuesIn(problem_names()), test_name);

TEST_P(EveryProblem, HasWordsAndSizesThatFit) {
  EXPECT_EQ(p.name, GetParam());
  EXPECT_FALSE(p.title.empty() || p.source.empty() || p.notes.empty());
  EXPECT_GE(p.trusted_digits, 13);
  EXPECT_EQ(p.start.size(), layout_of(p.equations).size());
  EXPECT_TRUE(known(p.start));
  double before = p.begin;
  for (const Reference& reference : p.references) {
    EXPECT_GT(reference.time, before);
    EXPECT_EQ(reference.state.size(), p.start.size());
    before = reference.time;
  }
}

TEST_P(EveryProblem, StartsConsistently) {
  const std::size_t judged = expect_satisfied(p, p.start, p.begin, 64 * 2.3e-16);
  EXPECT_EQ(judged, conditions(p.equations, p.start, p.begin).size() - (p.name == "nand_gate" ? 1 : 0));
}

TEST_P(EveryProblem, HasReferencesOnTheManifold) {
  std::size_t judged = 0;
  for (const Reference& reference : p.references) {
    const double tolerance = std::max(1e-12, std::pow(10.0, -p.trusted_digits));
    judged += expect_satisfied(p, reference.state, left_of_corner(p, reference.time), tolerance);
  }
  EXPECT_GE(judged, p.references.size());
}

TEST_P(EveryProblem, ConservesEnergyWhereThereIsOne) {
  const auto* form = std::get_if<Mechanical>(&p.equations);
  if (form == nullptr) return;
  const std::size_t n = form->q_size();
  const auto energy = [&](ConstSpan x, double t) {
    return form->functions().energy(x.subspan(0, n), x.subspan(n, n), t);
  };
  const auto first = energy(p.start, p.begin);
  if (!first) return;
  for (const Reference& reference : p.references) {
    const MechanicalAt at(*form, reference.state, reference.time);
    const double kinetic = 0.5 * at.v.dot(at.mass * at.v);
    EXPECT_NEAR(*energy(reference.state, reference.time), *first, 1e-12 * (std::abs(*first) + kinetic))
        << reference.time;
  }
}

TEST(Testset, StatesTheKnownEnergies) {
  const auto energy_at_start = [](const char* name) {
    const Problem p = problem(name);
    const auto& form = std::get<Mechanical>(p.equations);
    const std::size_t n = form.q_size();
    return form.functions().energy(ConstSpan(p.start).subspan(0, n), ConstSpan(p.start).subspan(n, n), p.begin).value();
  };
  EXPECT_NEAR(energy_at_start("andrews_squeezer"), 1.43783295753213987262288477282, 1e-14);
  EXPECT_NEAR(energy_at_start("n_four_bar_2"), 35.835, 1e-13);
  for (const char* name : {"chain_pendulum_2", "chain_pendulum_50", "closed_loop_chain_6", "closed_loop_chain_12",
                           "pendulum_schropp", "redundant_parallelogram"})
    EXPECT_NEAR(energy_at_start(name), 0.0, 1e-15) << name;
}

// Central differences of order 8.
VectorXd derivative(const std::function<Vector(double)>& x, double t, double h) {
  constexpr double weights[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  VectorXd sum = 0.0 * vector(x(t));
  for (int k = 1; k <= 4; ++k) sum += weights[k - 1] / h * (vector(x(t + k * h)) - vector(x(t - k * h)));
  return sum;
}

TEST_P(EveryProblem, HasAnExactSolutionThatSolvesIt) {
  if (!p.exact) return;
  const double end = p.references.front().time;
  for (int i = 0; i <= 20; ++i) {
    const double t = p.begin + i / 20.0 * (end - p.begin);
    const Vector x = p.exact(t);
    expect_satisfied(p, x, t, 1e-13);
    const VectorXd given = slope(p.equations, x, t);
    const VectorXd measured = derivative(p.exact, t, 0.01).head(given.size());
    EXPECT_LE((measured - given).lpNorm<Eigen::Infinity>(), 1e-11 * (1.0 + given.lpNorm<Eigen::Infinity>())) << t;
  }
}

TEST_P(EveryProblem, HasAnExactSolutionWithTheReferenceDigits) {
  if (!p.exact) return;
  const auto expect_equal = [&](double t, const Vector& digits) {
    const Vector x = p.exact(t);
    ASSERT_EQ(x.size(), digits.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(x[i], digits[i], 1e-13 * std::max(1.0, std::abs(digits[i])))
          << layout_of(p.equations).name(i) << ", t = " << t;
  };
  expect_equal(p.begin, p.start);
  for (const Reference& reference : p.references) expect_equal(reference.time, reference.state);
}

// The midpoint rule, extrapolated, on the equations solved for all derivatives: slow, but it shares nothing with the
// library.
class Extrapolation {
 public:
  explicit Extrapolation(const Problem& p) : p_(p), state_(p.start), t_(p.begin) {}

  const Vector& state() const { return state_; }

  void advance(double end, double tolerance) {
    std::vector<double> stops = p_.corners;
    stops.push_back(end);
    for (double stop : stops)
      if (stop > t_ && stop <= end) advance_smoothly(stop, tolerance);
    solve_multipliers(p_.equations, state_, left_of_corner(p_, end));
  }

 private:
  static constexpr int columns = 8;

  VectorXd slope_at(const VectorXd& y, double t) {
    std::copy(y.begin(), y.end(), state_.begin());
    solve_multipliers(p_.equations, state_, t);
    return slope(p_.equations, state_, t);
  }
  VectorXd midpoint(const VectorXd& y, const VectorXd& dy, double step, int parts) {
    const double h = step / parts;
    VectorXd before = y, now = y + h * dy;
    for (int i = 1; i < parts; ++i) {
      const VectorXd next = before + 2.0 * h * slope_at(now, t_ + i * h);
      before = now;
      now = next;
    }
    return now;
  }
  // The new values and the estimated error relative to `size`.
  std::pair<VectorXd, double> extrapolated(const VectorXd& y, double step) {
    const VectorXd dy = slope_at(y, t_);
    std::vector<VectorXd> row;
    VectorXd correction;
    for (int k = 0; k < columns; ++k) {
      VectorXd value = midpoint(y, dy, step, 2 * (k + 1));
      for (int j = 0; j < k; ++j) {
        const double ratio = static_cast<double>(k + 1) / static_cast<double>(k - j);
        correction = (value - row[static_cast<std::size_t>(j)]) / (ratio * ratio - 1.0);
        std::swap(row[static_cast<std::size_t>(j)], value);
        value = row[static_cast<std::size_t>(j)] + correction;
      }
      row.push_back(value);
    }
    const VectorXd size = (y.cwiseAbs() + step * dy.cwiseAbs()).array() + 1e-4 * y.lpNorm<Eigen::Infinity>();
    return {row.back(), correction.cwiseQuotient(size).lpNorm<Eigen::Infinity>()};
  }
  void advance_smoothly(double stop, double tolerance) {
    const auto size = slope(p_.equations, state_, t_).size();
    VectorXd y = vector(state_).head(size);
    // Not too long, lest the multipliers, found from those before, end up at another root where f is nonlinear in them.
    const double longest = 0.1 * (stop - t_);
    double step = 0.01 * longest;
    while (t_ < stop) {
      if (++steps_ > 20000) throw std::runtime_error("too many steps");
      const bool last = t_ + 1.01 * step >= stop;
      if (last) step = stop - t_;
      auto [next, error] = extrapolated(y, step);
      const double factor =
          std::isfinite(error) ? std::pow(tolerance / std::max(error, 1e-30), 1.0 / (2 * columns - 1)) : 0.1;
      if (error <= tolerance) {
        y = next;
        t_ = last ? stop : t_ + step;
      }
      step = std::min(longest, step * std::clamp(0.8 * factor, 0.1, 3.0));
    }
    std::copy(y.begin(), y.end(), state_.begin());
  }

  const Problem& p_;
  Vector state_;
  double t_;
  int steps_ = 0;
};

TEST_P(EveryProblem, ReachesItsFirstReference) {
  if (p.references.empty() || p.name == "nand_gate") return;  // too stiff for an explicit method
  const Reference& reference = p.references.front();
  Extrapolation run(p);
  run.advance(reference.time, 1e-10);
  for (const Block& block : layout_of(p.equations).blocks()) {
    double size = 0.0;
    for (double x : block.of(reference.state)) size = std::isnan(x) ? size : std::max(size, std::abs(x));
    for (std::size_t i = block.begin; i < block.begin + block.size; ++i) {
      const double x = reference.state[i];
      if (std::isnan(x)) continue;
      EXPECT_NEAR(run.state()[i], x, 1e-6 * std::abs(x) + 1e-9 * size) << layout_of(p.equations).name(i);
    }
  }
}

TEST(Testset, RejectsAnUnknownNameWithTheKnownOnes) {
  try {
    problem("andrews");
    FAIL();
  } catch (const Misuse& error) {
    EXPECT_NE(std::string(error.what()).find("andrews_squeezer, "), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace driftless::testset::testset_test
