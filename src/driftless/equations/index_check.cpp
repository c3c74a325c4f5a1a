#include "driftless/equations/index_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "driftless/core/stop.h"
#include "driftless/equations/manifold.h"
#include "driftless/equations/manifold_wide.h"
#include "driftless/linalg/kkt.h"
#include "driftless/linalg/rank.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

const char* decisive_name(const Equations& equations) {
  struct Visitor {
    const char* operator()(const Index1&) const { return "Q f_x on the image of Q"; }
    const char* operator()(const Index2&) const { return "(A4): g_u Gamma^-1 f_lambda"; }
    const char* operator()(const Index3&) const { return "(A3): Dg f_v k_lambda"; }
    const char* operator()(const Mechanical&) const { return "(A3): G M^-1 G^T"; }
    const char* operator()(const WideMechanical&) const { return "[M C^T; C 0] with C = [G T; A]"; }
  };
  return std::visit(Visitor{}, equations);
}

namespace {

std::string words(const IndexReport& report, const Equations& equations) {
  if (report.index == 0) return "no constraints: an ordinary differential equation";
  const char* what = decisive_name(equations);
  if (report.satisfied && report.multiplier_found)
    return fmt::format("index {}: {} is regular (rank {} of {}, condition {:.3g})", report.index, what, report.rank,
                       report.constraints, report.condition);
  if (report.satisfied)
    return fmt::format("{} is regular, but no multiplier satisfies the hidden constraint near this point: (A2) fails",
                       what);
  if (!report.redundant.empty())
    return fmt::format("{} has rank {} of {}: redundant here: {}", what, report.rank, report.constraints,
                       fmt::join(report.redundant, ", "));
  return fmt::format(
      "{} has rank {} of {} although the constraints are independent: some multiplier does not act on them, so "
      "the index is higher than {}",
      what, report.rank, report.constraints, report.index);
}

// Constraints in other units have multipliers in other units: the verdict must depend on neither. Rows and columns are
// scaled in turn, which converges to a matrix that is the same in all units.
void equilibrate(Matrix& a) {
  const std::size_t m = a.rows();
  const auto scale = [m](auto entry) {
    double sum = 0.0;
    for (std::size_t k = 0; k < m; ++k) sum += entry(k) * entry(k);
    for (std::size_t k = 0; k < m && sum > 0.0; ++k) entry(k) /= std::sqrt(sum);
  };
  for (int sweep = 0; sweep < 20; ++sweep) {
    check_stop();
    for (std::size_t i = 0; i < m; ++i) scale([&](std::size_t j) -> double& { return a(i, j); });
    for (std::size_t j = 0; j < m; ++j) scale([&](std::size_t i) -> double& { return a(i, j); });
  }
}

}  // namespace

double condition_of(Matrix decisive) {
  equilibrate(decisive);
  const RankReport rank = analyse_rows(decisive);
  return rank.rank > 0 ? rank.singular_values.front() / rank.singular_values[rank.rank - 1] : 1.0;
}

namespace {

// Without singular values: a sparse factorisation tells the rank if it is full, and otherwise an unknown to blame.
IndexReport check_sparse(const Equations& equations, Manifold& manifold, double t, ConstSpan at, IndexReport report) {
  Manifold::Examination found;
  if (const auto status = manifold.examine(t, at, found); status != ManifoldStatus::ok) {
    report.verdict = explain(status, equations, t, at).message();
    return report;
  }
  report.satisfied = found.regular;
  report.rank = found.rank;
  for (const std::size_t row : found.redundant) report.redundant.push_back(constraint_names_of(equations)[row]);
  report.condition = found.regular ? 1.0 / found.pivot_ratio : INFINITY;
  report.verdict = found.regular || !report.redundant.empty()
                       ? words(report, equations)
                       : fmt::format("{} is singular: it does not determine what belongs to '{}', among others",
                                     decisive_name(equations), constraint_names_of(equations)[found.undetermined]);
  return report;
}

}  // namespace

namespace {

// Rows of invariants of positions have no gradient by velocities, and depend on nothing.
std::vector<std::size_t> dependent_rows(const Equations& equations, const Matrix& gradients) {
  std::vector<std::size_t> rows = analyse_rows(gradients).dependent_rows;
  if (const auto* wide = std::get_if<WideMechanical>(&equations))
    std::erase_if(rows, [&](std::size_t row) { return row >= wide->rows(); });
  return rows;
}

}  // namespace

IndexReport check_index(const Equations& equations, double t, ConstSpan state) {
  const Layout& layout = layout_of(equations);
  if (state.size() != layout.size())
    throw Misuse(
        fmt::format("index check: the state has {} components, the equations have {}", state.size(), layout.size()));
  IndexReport report;
  report.index = index_of(equations);
  const auto manifold = make_manifold(equations);
  report.constraints = manifold->constraint_count();
  Vector copy(state.begin(), state.end());
  report.multiplier_found = manifold->set_multipliers(t, copy) == ManifoldStatus::ok && all_finite(copy);
  const ConstSpan at = report.multiplier_found ? ConstSpan(copy) : state;
  if (manifold->is_sparse()) return check_sparse(equations, *manifold, t, at, std::move(report));
  Matrix decisive, gradients;
  auto status = manifold->decisive_matrix(t, at, decisive);
  if (status == ManifoldStatus::ok) status = manifold->level_jacobian(manifold->level_of_gradients(), t, at, gradients);
  if (status != ManifoldStatus::ok) {
    report.verdict = explain(status, equations, t, at).message();
    return report;
  }
  equilibrate(decisive);
  const RankReport rank = analyse_rows(decisive);
  report.rank = rank.rank;
  report.condition = rank.condition;
  report.satisfied = report.rank == report.constraints;
  const auto& names = constraint_names_of(equations);
  for (std::size_t row : dependent_rows(equations, gradients)) report.redundant.push_back(names[row]);
  report.verdict = words(report, equations);
  return report;
}

namespace {

Failure explain_mass(const Mechanical& form, double t, ConstSpan state) {
  const std::size_t n = form.q_size();
  Matrix mass(n, n);
  form.functions().mass(state.subspan(0, n), t, mass);
  Kkt kkt(n, 0);
  kkt.factorise(mass, Matrix(0, n));
  return {
      .kind = FailureKind::singular_matrix,
      .time = t,
      .what_happened = "the mass matrix is not symmetric positive definite",
      .what_to_try = "check mass(q, t): every coordinate needs inertia; massless ones belong to the first-order states",
      .where = form.layout().name(kkt.failed_row())};
}

Failure explain_mass(const WideMechanical& form, double t, ConstSpan state) {
  WideManifold manifold(form);
  Regularity regularity;
  manifold.regularity(t, state, regularity);
  return {.kind = FailureKind::singular_matrix,
          .time = t,
          .what_happened = "the mass matrix is not positive definite on the motion that the constraints leave free",
          .what_to_try =
              "check mass(q, t): a velocity may be without inertia only where the constraints determine it; one that "
              "they leave free belongs to the first-order states",
          .where = form.layout().name(form.q_size() + manifold.failed_row())};
}

// The multipliers of higher indices, if it is they that are not found: the other levels hold as far as rounding allows.
std::optional<Failure> explain_multipliers(const Equations& equations, Manifold& manifold, double t, ConstSpan state) {
  constexpr double rounding = 1e-12;
  const std::size_t m = manifold.constraint_count();
  Vector residual(m), effect(m), sizes;
  for (int level = 1; level < manifold.levels(); ++level) {
    const Manifold::Range range = manifold.determined_by(level);
    sizes.assign(range.size, 1.0);
    for (std::size_t j = 0; j < range.size; ++j) sizes[j] += std::abs(state[range.begin + j]);
    if (manifold.residual(level, t, state, residual) != ManifoldStatus::ok) return std::nullopt;
    if (manifold.level_effect(level, t, state, sizes, effect) != ManifoldStatus::ok) return std::nullopt;
    for (std::size_t i = 0; i < m; ++i)
      if (!(std::abs(residual[i]) <= rounding * effect[i])) return std::nullopt;
  }
  if (manifold.levels() == 1 || manifold.residual(manifold.levels(), t, state, residual) != ManifoldStatus::ok)
    return std::nullopt;
  const auto worst = std::ranges::max_element(residual, {}, [](double x) { return std::abs(x); });
  const Layout& layout = layout_of(equations);
  constexpr std::size_t most = 3;
  const std::size_t first = layout.size() - m;
  std::string names, values;
  for (std::size_t k = 0; k < std::min(m, most); ++k) {
    names += (k > 0 ? ", " : "") + layout.name(first + k);
    values += fmt::format("{}{:.6g}", k > 0 ? ", " : "", state[first + k]);
  }
  return Failure{
      .kind = FailureKind::projection_failed,
      .time = t,
      .what_happened = fmt::format("no value of {}{} was found near {}{} with which the {} derivative of the "
                                   "constraints holds ({:.3g} is left of it)",
                                   names, m > most ? ", ..." : "", values, m > most ? ", ..." : "",
                                   manifold.levels() == 2 ? "first" : "second", *worst),
      .what_to_try = "state start values closer to a solution, or check the equations that contain them",
      .where = constraint_names_of(equations)[static_cast<std::size_t>(worst - residual.begin())]};
}

Failure explain_not_converged(const Equations& equations, double t, ConstSpan state) {
  const auto manifold = make_manifold(equations);
  if (auto multipliers = explain_multipliers(equations, *manifold, t, state)) return *std::move(multipliers);
  const auto& names = constraint_names_of(equations);
  Matrix gradients;
  Vector g(manifold->constraint_count());
  manifold->residual(1, t, state, g);
  std::size_t worst = 0;
  for (std::size_t i = 0; i < g.size(); ++i)
    if (std::abs(g[i]) > std::abs(g[worst])) worst = i;
  const int level = manifold->level_of_gradients();
  if (!manifold->is_sparse() && manifold->level_jacobian(level, t, state, gradients) == ManifoldStatus::ok) {
    Names redundant;
    for (std::size_t row : dependent_rows(equations, gradients)) redundant.push_back(names[row]);
    Vector velocities(g.size());
    if (level > 1) manifold->residual(level, t, state, velocities);
    if (!redundant.empty())
      return {
          .kind = FailureKind::rank_deficient,
          .time = t,
          .what_happened =
              fmt::format("the gradients of the constraints have rank {} of {} and the constraints contradict each "
                          "other (largest residual {:.3g})",
                          g.size() - redundant.size(), g.size(), std::fmax(max_norm(g), max_norm(velocities))),
          .what_to_try =
              "remove the redundant constraints, correct the dimensions that make them contradict, or move away from a "
              "singular configuration",
          .where = fmt::format("{}", fmt::join(redundant, ", "))};
  }
  return {.kind = FailureKind::projection_failed,
          .time = t,
          .what_happened =
              fmt::format("no point of the constraint manifold was found near the state (largest residual {:.3g})",
                          g.empty() ? 0.0 : std::abs(g[worst])),
          .what_to_try = "take smaller steps, or start closer to values that satisfy the constraints",
          .where = g.empty() ? "" : names[worst]};
}

}  // namespace

Failure explain(ManifoldStatus status, const Equations& equations, double t, ConstSpan state) {
  if (std::string text = find_not_finite(equations, t, state); !text.empty())
    return {.kind = FailureKind::not_finite,
            .time = t,
            .what_happened = "a function of the model is not finite",
            .what_to_try =
                "guard the formula (division by zero, square root or logarithm of a negative number), or take smaller "
                "steps",
            .where = text};
  if (status == ManifoldStatus::mass_not_positive_definite)
    return std::holds_alternative<WideMechanical>(equations)
               ? explain_mass(std::get<WideMechanical>(equations), t, state)
               : explain_mass(std::get<Mechanical>(equations), t, state);
  if (status == ManifoldStatus::gamma_singular)
    return {.kind = FailureKind::singular_matrix,
            .time = t,
            .what_happened = "Gamma(u, t) is singular: (A2) of Schropp 2001 fails",
            .what_to_try = "state the equation without a derivative as a constraint 0 = g",
            .where = "gamma"};
  return explain_not_converged(equations, t, state);
}

}  // namespace driftless
