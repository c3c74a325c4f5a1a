#include "driftless/integrate/index_watch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "driftless/core/infinity.h"
#include "driftless/core/stop.h"
#include "driftless/equations/index_check.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

// Logarithms of how far det S falls: what is a zero where a step happens to end; a fall that is remembered; and one so
// deep that what it leads to is reached.
const double log_landing = std::log(1e6), log_fall = std::log(4.0), log_deep = std::log(1e7);

}  // namespace

IndexWatch::IndexWatch(const Equations& equations, bool with_condition)
    : equations_(equations),
      manifold_(make_manifold(equations)),
      watching_(manifold_->constraint_count() > 0),
      with_condition_(with_condition),
      largest_scale_(-infinity),
      lowest_(infinity),
      state_(layout_of(equations).size()),
      mu1_(manifold_->constraint_count()),
      mu2_(manifold_->constraint_count()),
      slope_(state_.size()) {}

IndexWatch::IndexWatch(const Equations& equations, MatrixBlock block, const Matrix& entries)
    : IndexWatch(equations, false) {
  block_ = std::move(block);
  lu_ = RealLu(block_->rows.size());
  entries_ = entries;
}

void IndexWatch::restart(double t, ConstSpan state) {
  constexpr std::size_t most = 32;  // constraints; a matrix of all of them is made at every step
  step_count_ = fall_count_ = 0;
  parts_.clear();
  const std::size_t m = mu1_.size();
  if (m > 1 && m <= most && !manifold_->is_sparse() &&
      manifold_->decisive_matrix(t, state, decisive_) == ManifoldStatus::ok) {
    entries_ = Matrix(m, m);
    mark_entries(decisive_, entries_);
    divide();
  }
  see(t, state);
}

// Blocks that are singular from the start are redundant constraints.
void IndexWatch::divide() {
  parts_.clear();
  auto blocks = triangular_blocks(entries_);
  if (!blocks.empty() && blocks[0].rows.size() == mu1_.size()) return;  // all of it
  for (MatrixBlock& block : blocks)
    if (analyse_rows(copy_of(decisive_, block)).rank == block.rows.size())
      parts_.emplace_back(new IndexWatch(equations_, std::move(block), entries_));
}

ManifoldStatus IndexWatch::regularity(double t, ConstSpan state, Regularity& out) {
  check_stop();
  if (!block_) return manifold_->regularity(t, state, out);
  if (const auto status = manifold_->decisive_matrix(t, state, decisive_); status != ManifoldStatus::ok) return status;
  if (has_unmarked(decisive_, entries_)) return ManifoldStatus::not_converged;  // perhaps no block there
  out = regularity_of_block(decisive_);
  return ManifoldStatus::ok;
}

Regularity IndexWatch::regularity_of_block(ConstMatrixView decisive) {
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t j = 0; j < size(); ++j) lu_.matrix()(i, j) = decisive(block_->rows[i], block_->columns[j]);
  const Determinant determinant = lu_.factorise() ? lu_.determinant() : Determinant{};
  return {.rank = determinant.sign != 0 ? size() : 0, .sign = determinant.sign, .log_determinant = determinant.log};
}

bool IndexWatch::see(double t, ConstSpan state) {
  Regularity here;
  if (!watching_ || regularity(t, state, here) != ManifoldStatus::ok)
    return is_suspicious_ = whole_is_suspicious_ = false;
  return see(t, state, here);
}

bool IndexWatch::see(double t, ConstSpan state, const Regularity& here, const Decisive& decisive) {
  if (!watching_) return false;
  const bool fell = remember({t, here});
  if (step_count_ == 1) first_.assign(state.begin(), state.end());
  whole_is_suspicious_ = is_suspicious(fell);
  if (!whole_is_suspicious_) judge(t, state);
  const bool parts_are = see_parts(t, state, decisive);
  return is_suspicious_ = whole_is_suspicious_ || parts_are;
}

// An entry that was zero until now may tie blocks together: larger ones then start anew.
bool IndexWatch::see_parts(double t, ConstSpan state, const Decisive& decisive) {
  if (parts_.empty()) return false;
  if (!(decisive && decisive(decisive_)) && manifold_->decisive_matrix(t, state, decisive_) != ManifoldStatus::ok)
    return false;
  if (mark_entries(decisive_, entries_)) divide();
  bool any = false;
  for (const auto& part : parts_) any |= part->see(t, state, part->regularity_of_block(decisive_));
  return any;
}

bool IndexWatch::is_suspicious(bool fell) {
  found_.reset();
  const Point &end = steps_[0], &begin = steps_[1];
  if (step_count_ < 2 || begin.is.rank < size()) return false;
  if (end.is.rank < begin.is.rank || end.is.sign * begin.is.sign < 0) return true;
  if (fell && peak_ - end.is.log_determinant > log_deep) found_ = zero_in_reach(0.0);
  if (found_) return true;
  if (end.is.log_determinant < begin.is.log_determinant - log_landing) return true;
  if (manifold_->levels() == 1) return false;
  return step_count_ == 2 ? announced(begin, right_after_begin(), end) : announced(steps_[2], begin, end);
}

// With w = sqrt |det S|, which is a line near a zero that it touches: do two points lead below zero before the end, and
// did w come back on the other side as a line does, or rise again however far? (Other factors of det S may change, too,
// where multipliers have a pole.) Not for index 1, where the determinant may be anything
// from step to step, and where there is no solution beyond such a point that a step could end on.
bool IndexWatch::announced(const Point& before, const Point& begin, const Point& end) const {
  constexpr double least = 0.25, share = 0.4;
  const double fall = before.is.log_determinant - begin.is.log_determinant;
  if (!(fall > 0.0)) return false;
  const double slope = (1.0 - std::exp(0.5 * fall)) / (begin.t - before.t), line = 1.0 + slope * (end.t - begin.t);
  if (!(line < least)) return false;
  const double root = std::exp(0.5 * (end.is.log_determinant - begin.is.log_determinant));
  const bool rose = line < 0.0 && root > 1.0;
  return rose || std::abs(root - std::abs(line)) <= share * (1.0 + std::abs(line));
}

// Of the first step, along the solution: so close that a zero right behind the beginning is not passed, and far enough
// for det S to show where it goes.
IndexWatch::Point IndexWatch::right_after_begin() {
  constexpr double share = 1e-4;
  const Point &end = steps_[0], &begin = steps_[1];
  const double h = share * (end.t - begin.t);
  Point point{begin.t + h, begin.is};
  if (manifold_->derivative(begin.t, first_, slope_) != ManifoldStatus::ok) return point;
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = first_[i] + h * slope_[i];
  if (manifold_->set_multipliers(point.t, state_) == ManifoldStatus::ok) regularity(point.t, state_, point.is);
  return point;
}

// True: det S has fallen to a quarter once more.
bool IndexWatch::remember(const Point& point) {
  std::shift_right(steps_.begin(), steps_.end(), 1);
  steps_[0] = point;
  ++step_count_;
  const double log = point.is.log_determinant;
  if (fall_count_ > 0 && log > falls_[0].is.log_determinant - log_fall) {
    if (log < falls_[0].is.log_determinant + (fall_count_ > 1 ? log_fall : 0.0)) return false;
    fall_count_ = 0;  // it rose again
  }
  std::shift_right(falls_.begin(), falls_.end(), 1);
  falls_[0] = point;
  if (fall_count_ == 0) peak_ = log;
  return ++fall_count_ > 1;
}

// A step that ends right there: half-way, the root of det S has fallen by half; what decays has fallen by more.
bool IndexWatch::ends_in_zero(const Point& middle) const {
  const Point &end = steps_[0], &begin = steps_[1];
  if (end.is.rank < begin.is.rank) return middle.is.rank == begin.is.rank;
  return end.is.log_determinant < begin.is.log_determinant - log_landing &&
         middle.is.log_determinant > begin.is.log_determinant - 2.0 * log_fall;
}

namespace {

// |det S| ~ (t* - t)^(1/p): a line through its powers p meets zero at t*. The p whose line fits best.
template <class Points>
std::pair<double, double> zero_ahead(const Points& points) {
  double best_time = infinity, best_misfit = infinity;
  for (const double p : {0.5, 1.0, 1.5, 2.0}) {
    const double count = static_cast<double>(points.size()), reference = points.back().is.log_determinant;
    const auto value = [&](const auto& x) { return std::exp(p * (x.is.log_determinant - reference)); };
    double t_mean = 0.0, v_mean = 0.0, tt = 0.0, tv = 0.0, vv = 0.0;
    for (const auto& x : points) {
      t_mean += x.t / count;
      v_mean += value(x) / count;
    }
    for (const auto& x : points) {
      const double dt = x.t - t_mean, dv = value(x) - v_mean;
      tt += dt * dt;
      tv += dt * dv;
      vv += dv * dv;
    }
    const double misfit = (vv - tv * tv / tt) / vv;
    if (!(misfit < best_misfit)) continue;
    best_misfit = misfit;
    best_time = t_mean - v_mean * tt / tv;
  }
  return {best_time, best_misfit};
}

}  // namespace

Failure IndexWatch::explain(Failure failure, double h) const {
  using enum FailureKind;
  const FailureKind kind = failure.kind;
  const bool of_a_step = kind == step_size_too_small || kind == newton_did_not_converge || kind == singular_matrix ||
                         kind == projection_failed || kind == rank_deficient;
  if (!watching_ || !of_a_step) return failure;
  const auto time = zero_in_reach(h);
  if (!time) {
    for (const auto& part : parts_)
      if (Failure other = part->explain(failure, h); other.kind == index_lost) return other;
    return failure;
  }
  return lost(*time, std::abs(*time - steps_[0].t), fmt::format("; {}: {}", name_of(kind), failure.what_happened));
}

// Steps that shrank on the way to a zero, or steps of a fixed size h of which the next one meets it.
std::optional<double> IndexWatch::zero_in_reach(double h) const {
  constexpr std::size_t falls_wanted = 5;
  constexpr double straight = 0.01, soon = 0.2, next = 1.5;
  const bool shrank = fall_count_ >= falls_wanted;
  const auto& points = shrank ? falls_ : steps_;
  if (!shrank && step_count_ < steps_.size()) return std::nullopt;
  const auto [time, misfit] = zero_ahead(points);
  const double span = steps_[0].t - points.back().t, ahead = (time - steps_[0].t) * (span < 0.0 ? -1.0 : 1.0);
  const double near = shrank ? soon * std::abs(span) : next * std::abs(h);
  const bool falls = points.front().is.log_determinant < points.back().is.log_determinant - 0.3 * log_fall;
  if (!(falls && misfit < straight && ahead > -near && ahead < near)) return std::nullopt;
  return time;
}

void IndexWatch::judge(double t, ConstSpan state) {
  constexpr double noticeable = 0.1;
  constexpr std::size_t now_and_then = 64;
  if (!with_condition_) return;
  const Regularity& here = steps_[0].is;
  double found = 1.0;
  if (mu1_.size() == 1) {
    largest_scale_ = manifold_->levels() > 1 ? std::max(largest_scale_, here.log_scale) : here.log_scale;
    if (!(largest_scale_ - here.log_determinant > std::log(worst_.condition))) return;
    found = std::exp(largest_scale_ - here.log_determinant);
  } else {
    if (step_count_ % now_and_then != 1 && !(here.log_determinant < lowest_ - noticeable)) return;
    lowest_ = std::min(lowest_, here.log_determinant);
    if (manifold_->is_sparse()) {
      Manifold::Examination examined;
      if (manifold_->examine(t, state, examined) != ManifoldStatus::ok || !examined.regular) return;
      found = 1.0 / examined.pivot_ratio;
    } else {
      if (manifold_->decisive_matrix(t, state, decisive_) != ManifoldStatus::ok) return;
      found = condition_of(decisive_);
    }
  }
  if (!(found > worst_.condition)) return;
  worst_.condition = found;
  worst_.time = t;
}

Failure IndexWatch::lost(double t, double uncertainty, const std::string& why) const {
  Names names = constraint_names_of(equations_);
  if (block_) {
    Names own;
    for (const std::size_t row : block_->rows) own.push_back(names[row]);
    names = std::move(own);
  }
  constexpr std::size_t most_names = 5;
  std::string where =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + std::min(names.size(), most_names), ", "));
  if (names.size() > most_names) where += fmt::format(" and {} more", names.size() - most_names);
  return {
      .kind = FailureKind::index_lost,
      .time = t,
      .what_happened = fmt::format(
          "{} becomes singular near t = {:.6g} (within {:.1e}), so that the index is not {} there: multipliers may "
          "have no value, and the solution may end or go on in more than one way{}",
          decisive_name(equations_), t, std::max(uncertainty, 1e-12 * (1.0 + std::abs(t))), index_of(equations_), why),
      .what_to_try =
          "end the run before, with an event that sees the point coming, or change the model: a "
          "constraint loses its gradient or its multiplier there, or two become one",
      .where = where};
}

}  // namespace driftless
