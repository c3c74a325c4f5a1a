#include "watched_model.h"

#include <algorithm>
#include <cmath>

#include "driftless/equations/manifold.h"

namespace driftless::python {

WatchedModel::WatchedModel(std::shared_ptr<const Model> model, std::vector<Watcher> watchers, Roots roots)
    : model_(std::move(model)), watchers_(std::move(watchers)), roots_(std::move(roots)), seen_(watchers_.size()) {
  name = model_->name;
  title = model_->title;
  begin = model_->begin;
  end = model_->end;
  tolerance = model_->tolerance;
  interval = model_->interval;
  results = model_->results;
  warnings = model_->warnings;
}

std::unique_ptr<Model> WatchedModel::compiled_again() const {
  std::shared_ptr<const Model> again = model_->compiled_again();
  if (!again) return nullptr;
  return std::make_unique<WatchedModel>(std::move(again), watchers_, roots_);
}

Start WatchedModel::start(double t) const {
  std::ranges::fill(seen_, 0);
  beside_others_.clear();
  Start start = model_->start(t);
  start.stretch = watched(std::move(start.stretch));
  return start;
}

// The model's own events come first, then the watchers, then what depends on time alone.
Stretch WatchedModel::watched(Stretch stretch) const {
  const std::size_t own = watchers_.size();
  // Without its events: the functions see what it is, and it must not hold itself.
  const auto bare = std::make_shared<const Stretch>(stretch);
  const auto group = std::make_shared<RootGroup>();
  group->size = own;
  group->values = [bare, roots = roots_](double t, ConstSpan state, Span values) { roots(*bare, t, state, values); };
  for (std::size_t k = 0; k < own; ++k) {
    Event event;
    event.name = watchers_[k].name;
    event.root = [group, k, own](double t, NamedState state) {
      Vector values(own);
      group->values(t, state.values(), values);
      return values[k];
    };
    event.direction = watchers_[k].direction;
    event.terminal = watchers_[k].ends_after > 0 || watchers_[k].jump || model_->has_events();
    event.group = group;
    event.place = k;
    stretch.events.push_back(std::move(event));
  }
  if (stretch.next_due)
    stretch.next_due = [due = stretch.next_due, own](double until, TimeSearches& searches) {
      auto found = due(until, searches);
      if (found)
        for (std::size_t& event : found->events) event += own;
      return found;
    };
  return stretch;
}

std::variant<Stretch, ModelEnd> WatchedModel::watched(std::variant<Stretch, ModelEnd> next) const {
  if (Stretch* stretch = std::get_if<Stretch>(&next)) next = watched(std::move(*stretch));
  return next;
}

namespace {

// The model takes what holds from before a jump: those of its relations that the jump takes to their other side.
std::vector<std::size_t> overleapt(const Stretch& stretch, std::size_t count, double t, ConstSpan from, ConstSpan to) {
  const Names& names = layout_of(stretch.equations).names();
  std::vector<std::size_t> found;
  for (std::size_t e = 0; e < count; ++e) {
    const auto& root = stretch.events[e].root;
    if ((root(t, {from, names}) < 0.0) != (root(t, {to, names}) < 0.0)) found.push_back(e);
  }
  return found;
}

// What constraints must not move behind a jump: positions, or what it set where nothing constrains that.
Names kept(const Stretch& stretch, ConstSpan from, ConstSpan to) {
  const Layout& layout = layout_of(stretch.equations);
  Names names;
  const bool second_order =
      std::holds_alternative<Mechanical>(stretch.equations) || std::holds_alternative<Index3>(stretch.equations);
  const bool free = index_of(stretch.equations) <= 1;
  const Block& positions = layout.blocks().front();
  for (std::size_t i = 0; i < std::min(from.size(), layout.size()); ++i)
    if (second_order ? i >= positions.begin && i < positions.begin + positions.size : free && from[i] != to[i])
      names.push_back(layout.name(i));
  return names;
}

}  // namespace

// Where a stretch ends for any reason, functions that have just come to zero would leave it unseen. From which side
// they came is told by the state a moment before.
std::vector<std::size_t> WatchedModel::at_zero(const Stretch& stretch, double t, ConstSpan state) const {
  const double moment = 1e-6 * (t - stretch.begin);
  Vector last(watchers_.size()), earlier(watchers_.size()), slope(state.size()), before(state.begin(), state.end());
  if (moment == 0.0 || make_manifold(stretch.equations)->derivative(t, state, slope) != ManifoldStatus::ok) return {};
  for (std::size_t i = 0; i < before.size(); ++i) before[i] -= moment * slope[i];
  roots_(stretch, t, state, last);
  roots_(stretch, t - moment, before, earlier);
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < watchers_.size(); ++k) {
    const Direction direction = watchers_[k].direction;
    const bool fits = direction == Direction::any || (direction == Direction::falling) == (earlier[k] > 0.0);
    if (earlier[k] != 0.0 && std::abs(last[k]) <= 1e-3 * std::abs(earlier[k]) && fits) found.push_back(k);
  }
  return found;
}

std::variant<Stretch, ModelEnd> WatchedModel::after(const Stretch& before, double t, ConstSpan state,
                                                    const std::vector<std::size_t>& events) const {
  const std::size_t own = watchers_.size(), first = before.events.size() - own;
  std::vector<std::size_t> of_model, of_ours;
  for (const std::size_t event : events) {
    if (event >= first && event < first + own)
      of_ours.push_back(event - first);
    else
      of_model.push_back(event < first ? event : event - own);
  }
  for (const std::size_t k : at_zero(before, t, state))
    if (std::ranges::find(of_ours, k) == of_ours.end()) {
      of_ours.push_back(k);
      beside_others_.emplace_back(k, t);
    }
  Vector changed(state.begin(), state.end());
  std::optional<std::string> ended, jumped;
  for (const std::size_t k : of_ours) {
    if (watchers_[k].jump) {
      watchers_[k].jump(before, t, changed);
      jumped = watchers_[k].name;
    }
    if (++seen_[k] == watchers_[k].ends_after) ended = watchers_[k].name;
  }
  if (jumped && !of_model.empty())
    return ModelEnd{*jumped + " changes the state where the model changes a branch by itself (" +
                        (of_model[0] < first ? before.events[of_model[0]].name : "at a moment that it states") +
                        "): what holds behind it is not defined; let them come one after the other",
                    FailureKind::assertion_failed};
  if (jumped) of_model = overleapt(before, first, t, state, changed);
  auto next = watched(model_->after(before, t, changed, of_model));
  Stretch* stretch = std::get_if<Stretch>(&next);
  if (stretch && jumped && stretch->fixed.empty()) stretch->fixed = kept(*stretch, state, changed);
  if (stretch && ended) next = ModelEnd{*ended, std::nullopt, std::move(*stretch)};
  return next;
}

std::optional<std::variant<Stretch, ModelEnd>> WatchedModel::after_crawling(const Stretch& stretch, double t,
                                                                            ConstSpan state) const {
  auto next = model_->after_crawling(stretch, t, state);
  if (!next) return std::nullopt;
  return watched(std::move(*next));
}

std::variant<Stretch, ModelEnd> WatchedModel::finish(const Stretch& last, double t, ConstSpan state) const {
  return watched(model_->finish(last, t, state));
}

}  // namespace driftless::python
