#include "driftless/integrate/consistent_start.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/stop.h"
#include "driftless/equations/jump_directions.h"
#include "driftless/equations/size_norm.h"
#include "driftless/integrate/event_step.h"
#include "driftless/integrate/level_gradients.h"
#include "driftless/linalg/rank.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

// The sizes that a start may have: without multipliers, with them, or positions alone.
Vector completed(const Equations& equations, ConstSpan given) {
  const Layout& layout = layout_of(equations);
  const std::size_t multipliers = layout.size_of("lambda");
  const std::size_t without = layout.size() - multipliers, positions = layout.blocks().front().size;
  const bool positions_alone = layout.has("v") && given.size() == positions;
  if (given.size() != layout.size() && given.size() != without && !positions_alone) {
    std::vector<std::string> parts;
    for (const Block& block : layout.blocks())
      if (block.size > 0 && block.symbol != "lambda")
        parts.push_back(fmt::format("{} of {}", block.size, block.symbol));
    throw Misuse(fmt::format("the start has {} values, but these equations need {} ({}); multipliers may be left out",
                             given.size(), without, fmt::join(parts, ", ")));
  }
  Vector state(layout.size(), 0.0);
  std::copy(given.begin(), given.end(), state.begin());
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!std::isfinite(given[i])) throw Misuse(fmt::format("the start value of {} is {}", layout.name(i), given[i]));
  return state;
}

std::vector<char> free_components(const Layout& layout, const StartOptions& options) {
  std::vector<char> free(layout.size(), 1);
  for (const auto& name : options.fixed) free[layout.find(name)] = 0;
  return free;
}

// Gauss-Newton with the least change among the free components, or after an event along the directions in which a
// solution may jump, halving steps that do not improve.
class LevelSolver {
 public:
  LevelSolver(const Equations& equations, Manifold& manifold, double t, const std::vector<char>& free, bool after_event)
      : equations_(equations),
        manifold_(manifold),
        t_(t),
        free_(free),
        after_event_(after_event),
        norm_(layout_of(equations)) {}

  std::optional<Failure> solve(int level, Span state) {
    const Manifold::Range range = manifold_.determined_by(level);
    Vector residual(manifold_.constraint_count()), trial(state.begin(), state.end());
    LevelGradients jacobian;
    auto monitor = ConvergenceMonitor::to_rounding();
    for (int iteration = 0; iteration < 100; ++iteration) {
      check_stop();
      if (auto failure = evaluate(level, state, residual)) return failure;
      if (max_norm(residual) == 0.0) return std::nullopt;
      if (const auto status = jacobian.take(manifold_, level, t_, state); status != ManifoldStatus::ok)
        return explain(status, equations_, t_, state);
      jacobian.hold(free_, range.begin);
      if (at_rounding(residual, jacobian, state, range)) return std::nullopt;
      const auto found = correction(level, state, jacobian, residual);
      if (!found) return found.failure();
      const Vector& step = *found;
      // At rounding level, or stuck: the residual tells which.
      if (!improve(level, trial, state, range, jacobian, step)) break;
      std::copy(trial.begin(), trial.end(), state.begin());
      const ConstSpan moved = state.subspan(range.begin, range.size);
      const double size = norm_.of_part(range.begin, moved);
      if (monitor.see_relative(norm_.of_part(range.begin, step), 1e-300 + size) == Convergence::arrived) break;
    }
    return verdict(level, state, range, jacobian);
  }

  // Multipliers may enter nonlinearly, and be far away after a jump: Newton's iteration on the last level with halved
  // steps, until they are so near that the manifold finds them.
  void approach_multipliers(Span state) {
    if (manifold_.is_sparse()) return;
    const std::size_t m = manifold_.constraint_count();
    const Manifold::Range range{state.size() - m, m};
    Vector residual(m), trial(state.begin(), state.end());
    Matrix jacobian;
    for (int iteration = 0; iteration < 100; ++iteration) {
      check_stop();
      if (manifold_.residual(manifold_.levels(), t_, state, residual) != ManifoldStatus::ok) return;
      if (manifold_.decisive_matrix(t_, state, jacobian) != ManifoldStatus::ok) return;
      const LevelGradients gradients(jacobian);
      const double before = distance(residual, gradients, range);
      if (!(before > near_enough) || !std::isfinite(before)) return;
      for (double& x : residual) x = -x;
      if (!improve(manifold_.levels(), trial, state, range, gradients,
                   gradients.least_change(residual, norm_, range.begin)))
        return;
      std::copy(trial.begin(), trial.end(), state.begin());
    }
  }

 private:
  static constexpr double near_enough = 1e-6;

  // The step, halved until the residual of the level is smaller; false if it never is.
  bool improve(int level, Span trial, ConstSpan state, Manifold::Range range, const LevelGradients& jacobian,
               const Vector& step) {
    Vector residual(manifold_.constraint_count());
    manifold_.residual(level, t_, state, residual);
    const double before = distance(residual, jacobian, range);
    double length = 1.0;
    for (int halving = 0; halving < 40; ++halving, length *= 0.5) {
      for (std::size_t j = 0; j < range.size; ++j) trial[range.begin + j] = state[range.begin + j] + length * step[j];
      if (manifold_.residual(level, t_, trial, residual) == ManifoldStatus::ok &&
          distance(residual, jacobian, range) < before)
        return true;
    }
    return false;
  }

  std::optional<Failure> evaluate(int level, ConstSpan state, Span residual) {
    const auto status = manifold_.residual(level, t_, state, residual);
    if (status == ManifoldStatus::ok && all_finite(residual)) return std::nullopt;
    return explain(status == ManifoldStatus::ok ? ManifoldStatus::not_finite : status, equations_, t_, state);
  }

  Result<Vector> correction(int level, ConstSpan state, const LevelGradients& jacobian, Vector& residual) {
    const Manifold::Range range = manifold_.determined_by(level);
    if (!after_event_) {
      for (double& x : residual) x = -x;
      return jacobian.least_change(residual, norm_, range.begin);
    }
    if (jacobian.is_sparse()) {
      Vector step(range.size);
      const auto status = manifold_.jump_step(level, t_, state, free_, residual, step);
      if (status != ManifoldStatus::ok) return explain(status, equations_, t_, state);
      return step;
    }
    Matrix directions;
    const auto status = jump_directions(equations_, level, t_, state, directions);
    if (status != ManifoldStatus::ok) return explain(status, equations_, t_, state);
    for (std::size_t j = 0; j < directions.rows(); ++j)
      for (std::size_t l = 0; l < directions.cols() && !free_[range.begin + j]; ++l) directions(j, l) = 0.0;
    return event_step(jacobian.whole(), directions, residual);
  }

  // The residual, each row over what changes of the usual sizes do to it: the same for an equation times any factor.
  // What no free unknown can change does not count.
  double distance(ConstSpan residual, const LevelGradients& jacobian, Manifold::Range range) const {
    double largest = 0.0;
    Vector sizes(range.size), scale(residual.size());
    for (std::size_t j = 0; j < range.size; ++j) sizes[j] = norm_.usual(range.begin + j);
    jacobian.effect(sizes, scale);
    for (std::size_t i = 0; i < residual.size(); ++i) {
      if (scale[i] > 0.0 && !(std::abs(residual[i]) / scale[i] <= largest)) largest = std::abs(residual[i]) / scale[i];
      if (std::isnan(largest)) return std::numeric_limits<double>::infinity();
    }
    return largest;
  }

  // Nothing that moving the unknowns by a last place or two would not bring about.
  static bool at_rounding(ConstSpan residual, const LevelGradients& jacobian, ConstSpan state, Manifold::Range range) {
    Vector sizes(range.size), size(residual.size());
    for (std::size_t j = 0; j < range.size; ++j) sizes[j] = std::abs(state[range.begin + j]);
    jacobian.effect(sizes, size);
    for (std::size_t i = 0; i < residual.size(); ++i)
      if (!(std::abs(residual[i]) <= std::numeric_limits<double>::epsilon() * size[i])) return false;
    return true;
  }

  // Rounding explains a residual of a few units in the last place of gradient times unknown; anything more is a
  // failure.
  std::optional<Failure> verdict(int level, ConstSpan state, Manifold::Range range, const LevelGradients& jacobian) {
    const std::size_t m = manifold_.constraint_count();
    Vector residual(m), sizes(range.size), size(m);
    LevelGradients whole;
    manifold_.residual(level, t_, state, residual);
    whole.take(manifold_, level, t_, state);
    for (std::size_t j = 0; j < range.size; ++j)
      sizes[j] = 1e-3 * norm_.usual(range.begin + j) + std::abs(state[range.begin + j]);
    whole.effect(sizes, size);
    std::size_t worst = m;
    double excess = 1.0;
    for (std::size_t i = 0; i < m; ++i) {
      const double relative = std::abs(residual[i]) / (1e-9 * size[i] + 1e-300);
      if (!(relative <= excess)) {
        excess = relative;
        worst = i;
      }
    }
    if (worst == m) return std::nullopt;
    return failure(level, worst, residual[worst], jacobian, whole);
  }

  Failure failure(int level, std::size_t worst, double value, const LevelGradients& restricted,
                  const LevelGradients& whole) const {
    static const char* levels[] = {"", "constraint", "hidden velocity constraint", "hidden acceleration constraint"};
    const auto& names = constraint_names_of(equations_);
    Failure result{
        .kind = FailureKind::inconsistent_start,
        .time = t_,
        .what_happened = fmt::format("the {} '{}' cannot be satisfied near the values given: {:.3g} is left of it",
                                     levels[level], names[worst], value),
        .what_to_try = "start closer to a configuration that the constraints allow, or check the constraint itself",
        .where = names[worst]};
    if (after_event_) {
      result.what_happened =
          fmt::format("after the event the {} cannot be satisfied: {:.3g} is left of it", levels[level], value);
      result.what_to_try = "give new values that the constraints allow, or check the equations of the new branch";
    }
    if (whole.is_sparse()) return result;
    const std::size_t free_rank = analyse_rows(restricted.whole()).rank;
    const RankReport rank = analyse_rows(whole.whole());
    if (after_event_ && free_rank < rank.rank)
      result.what_to_try = "give fewer variables a new value by reinit: the others then follow from the constraints";
    else if (free_rank < rank.rank)
      result.what_to_try = "free some of the components that are held fixed: they leave too little freedom";
    else if (!rank.dependent_rows.empty() && names.size() > 1) {
      Names dependent;
      for (std::size_t row : rank.dependent_rows) dependent.push_back(names[row]);
      result.kind = FailureKind::rank_deficient;
      result.what_happened +=
          fmt::format("; the constraints have rank {} of {} there and contradict each other", rank.rank, names.size());
      result.what_to_try = "remove redundant constraints, or start away from the singular configuration";
      result.where = fmt::format("{}", fmt::join(dependent, ", "));
    }
    return result;
  }

  const Equations& equations_;
  Manifold& manifold_;
  double t_;
  const std::vector<char>& free_;
  bool after_event_;
  SizeNorm norm_;
};

// Functions of the model may be finite, and what follows from them is not: 1 / 1e-310.
std::optional<Failure> not_finite_start(const Layout& layout, double t, ConstSpan state, ConstSpan slope) {
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (std::isfinite(state[i]) && std::isfinite(slope[i])) continue;
    const bool value = !std::isfinite(state[i]);
    return Failure{
        .kind = FailureKind::not_finite,
        .time = t,
        .what_happened = fmt::format(
            "at the start {} comes out as {}, though every function of the model is finite there",
            value ? layout.name(i) : fmt::format("the derivative of {}", layout.name(i)), value ? state[i] : slope[i]),
        .what_to_try = "look for masses, factors or start values that are far too small or too large",
        .where = layout.name(i)};
  }
  return std::nullopt;
}

// The state, and the slope the run begins with.
std::optional<Failure> satisfy(const Equations& equations, Manifold& manifold, double t, Span state, Span slope,
                               const StartOptions& options) {
  auto trouble = [&](ManifoldStatus status, ConstSpan where) -> std::optional<Failure> {
    if (status == ManifoldStatus::ok && all_finite(state) && all_finite(slope)) return std::nullopt;
    if (find_not_finite(equations, t, where).empty())
      if (auto failure = not_finite_start(layout_of(equations), t, state, slope)) return failure;
    return explain(status == ManifoldStatus::ok ? ManifoldStatus::not_finite : status, equations, t, where);
  };
  const std::vector<char> free = free_components(layout_of(equations), options);
  // Index 1 without fixed names: the differential part P x is what the user means, the algebraic part follows.
  LevelSolver solver(equations, manifold, t, free, options.after_event);
  // Many algebraic unknowns, of which none is held: they follow in the same way after an event.
  const bool follows = manifold.is_sparse() && options.fixed.empty();
  if (manifold.levels() > 1 || !options.fixed.empty() || (options.after_event && !follows)) {
    for (int level = 1; level <= std::max(1, manifold.levels() - 1); ++level)
      if (auto failure = solver.solve(level, state)) return failure;
    if (manifold.levels() == 1) return trouble(manifold.derivative(t, state, slope), state);
  }
  const Vector before(state.begin(), state.end());
  auto status = manifold.flow(t, state, slope);
  if (status == ManifoldStatus::not_converged && manifold.levels() > 1) {
    std::copy(before.begin(), before.end(), state.begin());
    solver.approach_multipliers(state);
    status = manifold.flow(t, state, slope);
  }
  auto failure = trouble(status, before);
  if (failure && failure->kind == FailureKind::projection_failed) failure->kind = FailureKind::inconsistent_start;
  return failure;
}

// Of everything but the multipliers; after an event not of what is algebraic, which is expected to follow.
Vector changes_of(const Equations& equations, ConstSpan given, ConstSpan found, const StartOptions& options) {
  Vector changes(given.size() - layout_of(equations).size_of("lambda"));
  for (std::size_t i = 0; i < changes.size(); ++i) changes[i] = found[i] - given[i];
  const auto* index1 = std::get_if<Index1>(&equations);
  if (!index1 || !options.after_event) return changes;
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * max_norm(changes);
  Vector states(changes.size(), 0.0);
  index1->parts().p.add_product(ConstSpan(changes), Span(states));
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (std::abs(states[i]) <= rounding) changes[i] = 0.0;
  return changes;
}

}  // namespace

std::string ConsistentStart::summary() const {
  if (moves.empty()) return "the start was consistent";
  std::vector<std::string> parts;
  for (const Move& move : moves) parts.push_back(fmt::format("{}: {:.9g} -> {:.9g}", move.name, move.from, move.to));
  return fmt::format("the start was made consistent by moving {}", fmt::join(parts, ", "));
}

Result<ConsistentStart> make_consistent(const Equations& equations, double t, ConstSpan approximate,
                                        const StartOptions& options) {
  const Layout& layout = layout_of(equations);
  if (!std::isfinite(t)) throw Misuse(fmt::format("the time of the start is {}", t));
  const Vector given = completed(equations, approximate);
  const auto manifold = make_manifold(equations);
  ConsistentStart start{.state = given};
  Vector residual(manifold->constraint_count());
  for (int level = 1; level <= std::max(1, manifold->levels() - 1); ++level) {
    const auto status = manifold->residual(level, t, given, residual);
    if (status != ManifoldStatus::ok || !all_finite(residual))
      return explain(status == ManifoldStatus::ok ? ManifoldStatus::not_finite : status, equations, t, given);
    start.residuals_before.push_back(max_norm(residual));
  }
  Vector slope(layout.size());
  if (auto failure = satisfy(equations, *manifold, t, start.state, slope, options)) return *failure;
  const Vector changes = changes_of(equations, given, start.state, options);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const double change = std::abs(changes[i]);
    start.largest_move = std::max(start.largest_move, change);
    if (change > 8.0 * std::numeric_limits<double>::epsilon() * std::abs(given[i]))
      start.moves.push_back({layout.name(i), given[i], start.state[i]});
  }
  return start;
}

}  // namespace driftless
