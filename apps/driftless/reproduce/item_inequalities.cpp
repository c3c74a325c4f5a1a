// Higueras and Soderlind 2003: the inequalities from which all bounds follow, tried on random pairs of states.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "apps/driftless/reproduce/item.h"
#include "driftless/analysis/discretisation_run.h"
#include "driftless/analysis/logarithmic_norm.h"
#include "driftless/analysis/semi_inner_product.h"
#include "driftless/integrate/solve.h"
#include "testset/stability/study.h"

namespace reproduce {

using namespace driftless;
using namespace driftless::stability;

namespace {

constexpr double rounding = 1e-12;
constexpr int pairs = 2000;

// By how much left > right, relative to `scale`; 0 if it is not.
double violation(double left, double right, double scale) { return std::max(0.0, (left - right) / (scale + 1e-300)); }

Line never_violated(std::string id, std::string what, double found, const char* paper) {
  return {
      .id = std::move(id), .what = std::move(what), .paper = paper, .measured = found, .low = 0.0, .high = rounding};
}

// Numbers that are the same on every machine.
class Random {
 public:
  double between(double low, double high) { return low + (high - low) * static_cast<double>(engine_()) / 4294967295.0; }
  Vector vector(std::size_t n) {
    Vector x(n);
    for (double& value : x) value = between(-1.0, 1.0);
    return x;
  }
  Vector inside(const Box& box) {
    Vector x;
    for (const Interval& side : box.x) x.push_back(between(side.lower(), side.upper()));
    return x;
  }

 private:
  std::mt19937 engine_{7};
};

Vector combined(const Vector& a, double factor, const Vector& b) {
  Vector c = a;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] += factor * b[i];
  return c;
}
Vector times(const Matrix& a, const Vector& x) {
  Vector y(a.rows());
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) y[i] += a(i, j) * x[j];
  return y;
}
Matrix combined(const Matrix& a, double factor, const Matrix& b) {
  Matrix c = a;
  for (std::size_t j = 0; j < c.cols(); ++j)
    for (std::size_t i = 0; i < c.rows(); ++i) c(i, j) += factor * b(i, j);
  return c;
}

Vector value_of(const Index1& form, const Vector& x, double t) {
  Vector f(x.size());
  form.functions().f(x, t, f);
  return f;
}

// Constants and projections of one case in one norm.
struct Setting {
  const Case& problem;
  Norm norm;
  Index1Split split;
  SplitConstants c;
  Setting(const Case& one, const char* name)
      : problem(one), norm(Norm::by_name(name)), split(one.form.projector(), norm) {
    c = analyse_stability(one.form, one.box,
                          {.norm = norm, .refinement = {.relative = 1e-3, .boxes = 400}, .sampling = {.points = 50}})
            .split;
  }
  Vector p(const Vector& x) const { return times(split.p(), x); }
  Vector q(const Vector& x) const { return times(split.q(), x); }
};

// The largest violations of Lemma 3.1, (3.15a), (3.15b), and the largest quotient of (3.19).
struct PairFindings {
  double lemma = 0.0, differential = 0.0, algebraic = 0.0, implicit = 0.0, euler = 0.0;
};

PairFindings try_pairs(const Setting& s, double h) {
  PairFindings worst;
  Random random;
  const double schur = schur_complement_constant(s.c);
  for (int k = 0; k < pairs; ++k) {
    const double t = random.between(s.problem.box.t.lower(), s.problem.box.t.upper());
    const Vector x = random.inside(s.problem.box), y = random.inside(s.problem.box), pp = s.p(random.vector(x.size()));
    const Vector d = combined(y, -1.0, x);
    const Vector df = combined(value_of(s.problem.form, y, t), -1.0, value_of(s.problem.form, x, t));
    const Vector pd = s.p(d), qd = s.q(d), pf = s.p(df), qf = s.q(df);
    const double np = s.norm(pd), nq = s.norm(qd), residual = s.norm(qf), scale = 1.0 + np + nq + s.norm(df);
    const double mixed = s.c.algebraic_from_differential * np;
    worst.lemma = std::max(worst.lemma, violation(semi_inner_product(s.norm, qd, qf),
                                                  mixed * nq + s.c.algebraic * nq * nq, scale * scale));
    worst.differential =
        std::max(worst.differential,
                 violation(dini_derivative(s.norm, pd, combined(pf, 1.0, pp)),
                           s.c.differential * np + s.c.differential_from_algebraic * nq + s.norm(pp), scale));
    worst.algebraic = std::max(worst.algebraic, violation(0.0, mixed + s.c.algebraic * nq + residual, scale));
    worst.implicit = std::max(worst.implicit, nq * -s.c.algebraic / (mixed + residual));
    // (P - h f)(y) - (P - h f)(x): where this vanishes, y = x. (4.13)
    const double data = s.norm(combined(pd, -h, pf)) + h * s.c.differential_from_algebraic / -s.c.algebraic * residual;
    if (h * schur < 1.0) worst.euler = std::max(worst.euler, (1.0 - h * schur) * np / data);
  }
  return worst;
}

}  // namespace

Measurement norm_properties() {
  Measurement result;
  for (const char* name : {"1", "2", "inf"}) {
    const Norm norm = Norm::by_name(name);
    Random random;
    double schwarz = 0.0, sign = 0.0, additive = 0.0, bounds = 0.0, shift = 0.0, scaled = 0.0, sum = 0.0;
    for (int k = 0; k < 500; ++k) {
      const std::size_t n = 4;
      const Vector u = random.vector(n), v = random.vector(n), w = random.vector(n);
      const auto product = [&](const Vector& a, const Vector& b, Side side) {
        return semi_inner_product(norm, a, b, side);
      };
      const double size = norm(u) * (norm(v) + norm(w)), right = product(u, v, Side::right),
                   left = product(u, v, Side::left);
      const Vector minus = combined(Vector(n), -1.0, v), total = combined(v, 1.0, w);
      schwarz =
          std::max({schwarz, violation(right, norm(u) * norm(v), size), violation(-norm(u) * norm(v), left, size)});
      sign = std::max(sign, std::abs(product(u, minus, Side::right) + left) / size);
      const double both = product(u, total, Side::right), of_w = product(u, w, Side::right);
      additive = std::max({additive, violation(left + of_w, both, size), violation(both, of_w + right, size)});
      Matrix a(n, n), b(n, n), identity(n, n);
      for (std::size_t j = 0; j < n; ++j) {
        identity(j, j) = 1.0;
        for (std::size_t i = 0; i < n; ++i) {
          a(i, j) = random.between(-1.0, 1.0);
          b(i, j) = random.between(-1.0, 1.0);
        }
      }
      const double mu = logarithmic_norm(a, norm), large = operator_norm(a, norm), z = random.between(-2.0, 2.0);
      bounds = std::max({bounds, violation(-least_gain(a, norm), mu, large), violation(mu, large, large)});
      shift = std::max(shift, std::abs(logarithmic_norm(combined(a, z, identity), norm) - mu - z) / (large + 2.0));
      const double alpha = random.between(0.0, 3.0);
      scaled = std::max(
          scaled, std::abs(logarithmic_norm(combined(Matrix(n, n), alpha, a), norm) - alpha * mu) / (3.0 * large));
      sum =
          std::max(sum, violation(logarithmic_norm(combined(a, 1.0, b), norm), mu + logarithmic_norm(b, norm), large));
    }
    const std::tuple<const char*, const char*, double, const char*> rows[] = {
        {"schwarz", "|(u, v)| above |u| |v|", schwarz, "never, (2.2)"},
        {"sign", "(u, -v)+ against -(u, v)-", sign, "equal, Proposition 2.1.1"},
        {"additive", "(u, v + w)+ outside of its bounds", additive, "never, Proposition 2.1.3"},
        {"bounds", "M+ outside of [-l, L]", bounds, "never, Proposition 2.2.1"},
        {"shift", "M+[f + z I] against M+[f] + z", shift, "equal, Proposition 2.2.2"},
        {"scaled", "M+[alpha f] against alpha M+[f]", scaled, "equal, Proposition 2.2.3"},
        {"sum", "M+[f + g] above M+[f] + M+[g]", sum, "never, Proposition 2.2.4"}};
    for (const auto& [id, what, found, paper] : rows)
      result.lines.push_back(never_violated(fmt::format("{} {}", id, name),
                                            fmt::format("norm {}: {}, at most", name, what), found, paper));
  }
  return result;
}

Measurement inequalities() {
  Measurement result;
  for (const Case& problem : cases())
    for (const char* name : {"1", "2", "inf"}) {
      const PairFindings found = try_pairs(Setting(problem, name), 0.1);
      const std::string where = fmt::format("{}, norm {}", problem.name, name);
      result.lines.push_back(never_violated(where + " 3.1", where + ": violation of Lemma 3.1", found.lemma, "none"));
      result.lines.push_back(
          never_violated(where + " 3.15a", where + ": violation of (3.15a)", found.differential, "none, Theorem 3.2"));
      result.lines.push_back(
          never_violated(where + " 3.15b", where + ": violation of (3.15b)", found.algebraic, "none, Theorem 3.2"));
      result.lines.push_back(
          at_most_one(where + " 3.19", where + ": |Q dx| / bound (3.19)", found.implicit, "at most 1, Theorem 3.3"));
    }
  return result;
}

Measurement euler_uniqueness() {
  Measurement result;
  for (const Case& problem : cases()) {
    const Setting setting(problem, "2");
    const double schur = schur_complement_constant(setting.c);
    for (const double h : {0.01, 0.1, 1.0, 10.0}) {
      if (h * schur >= 1.0) continue;
      result.lines.push_back(at_most_one(
          fmt::format("{} {}", problem.name, h),
          fmt::format("{}, S = {:.3g}, h = {}: |P e| / bound of (4.13) by (P - h f)(x)", problem.name, schur, h),
          try_pairs(setting, h).euler, "at most 1, so that x is unique: Theorem 4.3"));
    }
  }
  return result;
}

Measurement euler_inequality() {
  Measurement result;
  for (const Case& problem : cases()) {
    const Setting s(problem, "2");
    Solution exact = solve(problem.form, problem.start,
                           {.span = {0.0, problem.end}, .tolerance = {.relative = 1e-12, .absolute = 1e-14}});
    exact.or_throw();
    const DiscretisationRun run =
        run_discretisation(problem.form, exact.state(0), {.end = problem.end, .steps = 40}).value();
    double between = 0.0, differential = 0.0, algebraic = 0.0;
    Vector before(problem.start.size()), from(exact.state(0).begin(), exact.state(0).end());
    for (const DiscretisationStep& step : run.steps) {
      const double t = std::min(step.time, problem.end), h = step.h;
      const Vector x = exact.at(t), e = combined(step.state, -1.0, x);
      const Vector pe = s.p(e), previous = s.p(before);
      const double np = s.norm(pe), nq = s.norm(s.q(e)), quotient = dini_difference(s.norm, pe, previous);
      // d_n: the difference quotient of the solution against its derivative, P x' = P f.
      const Vector d = combined(s.p(combined(x, -1.0, from)), -h, s.p(value_of(problem.form, x, t)));
      const double noise = 1e-11;  // of the solution that stands for the exact one
      between = std::max({between, violation(np - s.norm(previous), quotient, 1.0),
                          violation(quotient, s.norm(combined(pe, -1.0, previous)), 1.0)});
      differential = std::max(
          differential,
          violation(quotient, h * (s.c.differential * np + s.c.differential_from_algebraic * nq) + s.norm(d) + noise,
                    1.0));
      algebraic = std::max(
          algebraic,
          violation(0.0, s.c.algebraic_from_differential * np + s.c.algebraic * nq + step.q_residual + noise, 1.0));
      before = e;
      from = x;
    }
    result.lines.push_back(
        never_violated(problem.name + " 4.1", problem.name + ": violation of Lemma 4.1", between, "none"));
    result.lines.push_back(never_violated(problem.name + " 4.7a", problem.name + ": violation of (4.7a)", differential,
                                          "none, Theorem 4.2"));
    result.lines.push_back(
        never_violated(problem.name + " 4.7b", problem.name + ": violation of (4.7b)", algebraic, "none, Theorem 4.2"));
  }
  return result;
}

}  // namespace reproduce
