#include "driftless/modelfile/compiled/time_events.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/stop.h"
#include "driftless/expression/differentiate.h"

namespace driftless {

namespace {

// Times that are closer than this are the same time.
double time_rounding(double t) { return 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t); }

}  // namespace

TimeEvents::TimeEvents(const Reduction& reduction, const HeldLayout& held, const std::vector<Expr>& roots)
    : place_(roots.size(), HeldLayout::none) {
  const FlatModel& model = reduction.model;
  std::vector<char> known(model.slots, 0);
  known[model.time_slot] = 1;
  for (const std::uint32_t slot : held.slots) known[slot] = 1;
  FormulaBook book(model.graph, {}, model.time_slot, held.slots, Engine::interpreter);
  held_ = book.held();
  inputs_ = book.inputs();
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const auto reads = inputs_of(model.graph, roots[k]);
    if (!std::ranges::all_of(reads, [&](std::uint32_t slot) { return known[slot] != 0; })) continue;
    place_[k] = watched_.size();
    const Expr root = book.take(roots[k]);
    const Expr slope = derivative_along(book.graph(), root, {{book.time(), book.graph().constant(1.0)}});
    const Expr both[] = {root, slope};
    watched_.push_back({k, held.relation[k], model.relations[k].holds_if_negative, model.relations[k].at_zero,
                        Program(book.graph(), std::span(&root, 1), Engine::interpreter),
                        Enclosure(book.graph(), both)});
  }
}

// One relation: positive while it keeps its value.
class TimeEvents::Search {
 public:
  Search(const TimeEvents& events, const Watched& watched, const HeldValues& held)
      : watched_(watched), parameters_(held.parameters.get()), inputs_(events.inputs_, 0.0), box_(events.inputs_) {
    for (std::size_t k = 0; k < held.values.size(); ++k) {
      inputs_[events.held_ + k] = held.values[k];
      box_[events.held_ + k] = Interval(held.values[k]);
    }
    const bool holds = held.values[watched.flag] != 0.0;
    at_zero_ = holds == watched.at_zero ? 0.0 : -std::numeric_limits<double>::min();
    sign_ = holds == watched.holds_if_negative ? -1.0 : 1.0;
    undefined_ = holds ? -1.0 : 1.0;  // a comparison with what is not a number is false
  }

  // From left to right through halves of halves, leaving out those without a root.
  std::optional<double> first(double t, double until) {
    double begin = past_rounding(t, until);
    if (value(begin) < 0.0) return begin;
    std::vector<double> ends{until};
    for (std::size_t looks = 0; !ends.empty(); ++looks) {
      check_stop();
      const double end = ends.back();
      const Verdict verdict = judge(begin, end);
      if (verdict == Verdict::one && value(end) < 0.0) return bisect(begin, end);
      const double middle = 0.5 * (begin + end);
      const bool small =
          looks > most_looks || std::abs(end - begin) <= smallest * std::abs(end) || middle == begin || middle == end;
      if (verdict == Verdict::unknown && small && value(end) < 0.0) return bisect(begin, end);
      if (verdict == Verdict::unknown && !small) {
        ends.push_back(middle);
        continue;
      }
      begin = end;
      ends.pop_back();
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t most_looks = 200'000;
  static constexpr double smallest = 1e-13;
  enum class Verdict { none, one, unknown };  // roots in an interval, `one` if the sign at the end changed

  double value(double t) {
    inputs_[0] = t;
    double root = 0.0;
    watched_.root.run(inputs_.data(), &root, parameters_);
    if (root == 0.0) return at_zero_;
    return std::isnan(root) ? undefined_ : sign_ * root;
  }

  // The relation has just changed: by rounding its root may not have, yet.
  double past_rounding(double t, double until) {
    for (int k = 0; k < 8 && t != until && value(t) < 0.0; ++k) t = std::nextafter(t, until);
    return t;
  }

  Verdict judge(double a, double b) {
    box_[0] = Interval(std::min(a, b), std::max(a, b));
    Interval found[2];
    try {
      watched_.root_and_slope.run(box_.data(), found, parameters_);
    } catch (const UndecidedComparison&) {
      return Verdict::unknown;
    }
    const double lowest = sign_ > 0.0 ? found[0].lower() : -found[0].upper();
    if (lowest >= 0.0) return value(b) < 0.0 ? Verdict::one : Verdict::none;
    return found[1].is_bounded() && !found[1].contains(0.0) ? Verdict::one : Verdict::unknown;
  }

  // value(high) is negative. Where it is zero is the time itself: time > 0.5 changes at 0.5, as time >= 0.5 does.
  double bisect(double low, double high) {
    for (;;) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      (value(middle) < 0.0 ? high : low) = middle;
    }
    return value(low) == 0.0 ? low : high;
  }

  const Watched& watched_;
  const ParameterValues* parameters_;
  Vector inputs_;
  std::vector<Interval> box_;
  double sign_ = 1.0, undefined_ = 1.0, at_zero_ = 0.0;
};

std::optional<TimeEvents::Due> TimeEvents::next(double t, double until, const HeldValues& held) const {
  std::optional<Due> due;
  const double direction = until >= t ? 1.0 : -1.0;
  for (const Watched& watched : watched_) {
    const std::optional<double> at = Search(*this, watched, held).first(t, until);
    if (!at) continue;
    if (due && std::abs(*at - due->time) <= time_rounding(*at)) {
      due->relations.push_back(watched.relation);
      continue;
    }
    if (due && direction * (*at - due->time) > 0.0) continue;
    due = {*at, {watched.relation}};
    until = *at + direction * time_rounding(*at);
  }
  return due;
}

}  // namespace driftless
