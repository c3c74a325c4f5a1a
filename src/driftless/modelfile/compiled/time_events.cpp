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
  std::vector<std::size_t> place_of(model.slots, HeldLayout::none);
  for (std::size_t k = 0; k < held.slots.size(); ++k) place_of[held.slots[k]] = k;
  FormulaBook book(model.graph, {}, model.time_slot, held.slots, Engine::interpreter);
  held_ = book.held();
  inputs_ = book.inputs();
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const auto reads = inputs_of(model.graph, roots[k]);
    if (!std::ranges::all_of(reads, [&](std::uint32_t slot) { return known[slot] != 0; })) continue;
    place_[k] = watched_.size();
    std::vector<std::size_t> places{held.relation[k]};
    for (const std::uint32_t slot : reads)
      if (place_of[slot] != HeldLayout::none) places.push_back(place_of[slot]);
    const Expr root = book.take(roots[k]);
    const Expr slope = derivative_along(book.graph(), root, {{book.time(), book.graph().constant(1.0)}});
    const Expr both[] = {root, slope};
    watched_.push_back({k, held.relation[k], model.relations[k].holds_if_negative, model.relations[k].at_zero,
                        std::move(places), Program(book.graph(), std::span(&root, 1), Engine::interpreter),
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

  // From where on to search: the relation has just changed, and by rounding its root may not have, yet.
  double past_rounding(double t, double until) {
    for (int k = 0; k < 8 && t != until && value(t) < 0.0; ++k) t = std::nextafter(t, until);
    return t;
  }
  bool has_changed(double t) { return value(t) < 0.0; }

  // From left to right through halves of halves, leaving out those without a root. What intervals cannot tell is
  // looked at in pieces of rounding, and when there are too many of them in small parts of the whole.
  std::optional<double> first(double begin, double until) {
    const double part = std::abs(until - begin) / parts;
    std::vector<double> ends{until};
    for (looks_ = 0; !ends.empty(); ++looks_) {
      check_stop();
      const double end = ends.back(), length = std::abs(end - begin);
      const Verdict verdict = judge(begin, end);
      if (verdict == Verdict::one && value(end) < 0.0) return bisect(begin, end);
      const double middle = 0.5 * (begin + end);
      const bool small = length <= smallest * std::abs(end) || (looks_ > most_looks && length <= part) ||
                         middle == begin || middle == end;
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
  std::size_t looks() const { return looks_; }

 private:
  static constexpr std::size_t most_looks = 200'000;
  static constexpr double smallest = 1e-13, parts = 65'536.0;
  enum class Verdict { none, one, unknown };  // roots in an interval, `one` if the sign at the end changed

  double value(double t) {
    inputs_[0] = t;
    double root = 0.0;
    watched_.root.run(inputs_.data(), &root, parameters_);
    if (root == 0.0) return at_zero_;
    return std::isnan(root) ? undefined_ : sign_ * root;
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
  std::size_t looks_ = 0;
};

// The first change of one relation up to `nearest`, where another one is known to change. A search that was long is
// remembered; when it is asked again with the same values it goes to the end, so that there is no third one. Short ones
// are repeated: they cost little, and what they find depends on nothing that happened before, not in the last digit.
std::optional<double> TimeEvents::first_change(const Watched& watched, double t, double nearest, double until,
                                               const HeldValues& held, TimeSearches& searches) const {
  constexpr std::size_t long_search = 1'000;
  const double direction = until >= t ? 1.0 : -1.0;
  const auto is_before = [&](double a, double b) { return direction * (b - a) > 0.0; };
  Search search(*this, watched, held);
  const double begin = search.past_rounding(t, nearest);
  if (search.has_changed(begin)) return begin;
  const auto at_or_before_nearest = [&](std::optional<double> root) {
    return root && !is_before(nearest, *root) ? root : std::nullopt;
  };

  Vector read;
  for (const std::size_t place : watched.reads) read.push_back(held.values[place]);
  const auto found = searches.found_.find(&watched);
  const bool known = found != searches.found_.end() && found->second.read == read &&
                     found->second.parameters == held.parameters && !is_before(begin, found->second.from);
  if (known) {
    const auto& [values, parameters, from, to, root] = found->second;
    if (root ? is_before(begin, *root) : !is_before(to, nearest)) return at_or_before_nearest(root);
  }
  const double end = known ? until + direction * time_rounding(until) : nearest;  // `nearest` may be as late
  const std::optional<double> root = search.first(begin, end);
  searches.looks_ += search.looks();
  if (search.looks() > long_search)
    searches.found_.insert_or_assign(&watched, TimeSearches::Found{std::move(read), held.parameters, begin, end, root});
  return at_or_before_nearest(root);
}

std::optional<TimeEvents::Due> TimeEvents::next(double t, double until, const HeldValues& held,
                                                TimeSearches& searches) const {
  std::optional<Due> due;
  const double direction = until >= t ? 1.0 : -1.0;
  double nearest = until;
  for (const Watched& watched : watched_) {
    const std::optional<double> at = first_change(watched, t, nearest, until, held, searches);
    if (!at) continue;
    if (due && std::abs(*at - due->time) <= time_rounding(*at)) {
      due->relations.push_back(watched.relation);
      continue;
    }
    if (due && direction * (*at - due->time) > 0.0) continue;
    due = {*at, {watched.relation}};
    nearest = *at + direction * time_rounding(*at);
  }
  return due;
}

}  // namespace driftless
