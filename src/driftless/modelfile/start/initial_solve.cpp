// Stage by stage, from the start values; tried again from a little beside them where that gets stuck (a circle has no
// slope along y at y = 0).
#include <algorithm>
#include <cmath>
#include <random>

#include "driftless/modelfile/start/initial_search.h"

namespace driftless {

namespace {

constexpr double met = 1e-9;  // a distance from what is stated that is none

}  // namespace

InitialSystem::Outcome InitialSystem::solve(double time, const Vector& held) const {
  Outcome outcome{.values = held, .errors = {}};
  outcome.values.resize(reduction_.model.slots, 0.0);
  outcome.values[reduction_.model.time_slot] = time;
  for (const InitialUnknown& u : unknowns_) outcome.values[u.slot] = u.guess;
  std::vector<char> in_stage(unknowns_.size(), 0);
  for (const Stage& stage : stages_) {
    outcome.errors = solve_stage(stage, outcome);
    outcome.only_highest = stages_.size() == 1 ? conditions_.empty() : &stage == &stages_.back();
    if (!outcome.ok()) return outcome;
    for (const std::size_t k : stage.unknowns) in_stage[k] = 1;
  }
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    if (!in_stage[k] && !unknowns_[k].fixed && unknowns_[k].trust == Trust::none) outcome.chosen.push_back(k);
  std::ranges::sort(outcome.chosen);
  Vector rates(rate_values_.outputs());
  rate_values_.run(outcome.values.data(), rates.data());
  if (std::ranges::any_of(rates, [](double x) { return !std::isfinite(x); }))
    if (auto finding = guilty_equation(outcome.values)) outcome.errors.push_back(*std::move(finding));
  std::size_t next = 0;  // x' where it has a formula: unknowns that the analysis introduces may stand for it
  for (const auto& [slot, formula] : rates_) outcome.values[slot] = rates[next++];
  return outcome;
}

// States without a start value that cannot move at first, as something that is asked of them has slope 0 along them.
std::vector<std::size_t> InitialSystem::stuck_unknowns(const Stage& stage, const Vector& values) const {
  std::vector<std::size_t> result;
  const auto look = [&](const Program& jacobian, const std::vector<Stage::Entry>& entries) {
    Vector slopes(entries.size());
    jacobian.run(values.data(), slopes.data());
    for (std::size_t e = 0; e < slopes.size(); ++e) {
      const std::size_t k = stage.unknowns[entries[e].column];
      if (slopes[e] == 0.0 && unknowns_[k].trust == Trust::none) result.push_back(k);
    }
  };
  look(stage.jacobian, stage.entries);
  look(stage.wish_jacobian, stage.wish_entries);
  return result;
}

// Another point to begin at: beside the start values first, then anywhere around them, only fixed ones as they are.
Vector InitialSystem::beside(const Vector& values, const std::vector<std::size_t>& movable, bool near,
                             std::mt19937& random) const {
  Vector trial = values;
  for (const std::size_t k : movable) {
    const InitialUnknown& u = unknowns_[k];
    if (near && !u.given) trial[u.slot] += std::uniform_real_distribution(-0.1, 0.5)(random) * u.scale;
    if (!near) {
      const double reach = 2.0 * std::max(u.scale, std::abs(u.guess));
      trial[u.slot] += std::uniform_real_distribution(-1.0, 1.0)(random) * (u.given ? 0.5 : 1.0) * reach;
    }
  }
  return trial;
}

// If values that the model gives have to move, or none are found, others are tried.
std::vector<Finding> InitialSystem::solve_stage(const Stage& stage, Outcome& outcome) const {
  constexpr int attempts_near = 8, attempts = 32;
  const Vector& values = outcome.values;
  std::vector<Finding> first;
  std::optional<Found> best;
  std::mt19937 random(7);
  for (int attempt = 0; attempt < (best ? attempts_near : attempts); ++attempt) {
    Vector begin = values;
    if (attempt > 0)
      begin = beside(values, best ? stuck_unknowns(stage, values) : stage.unknowns, attempt < attempts_near, random);
    if (attempt > 0 && begin == values) continue;
    InitialSearch search(*this, stage);
    Vector trial = begin;
    auto status = search.run(trial, InitialSearch::Damping::path);
    if (status != InitialSearch::Status::solved) {
      trial = begin;
      status = search.run(trial, InitialSearch::Damping::descent);
    }
    if (status == InitialSearch::Status::solved) {
      if (!best || search.moved() < 0.5 * best->moved)
        best = {std::move(trial), search.moved(), attempt > 0, search.missed()};
      if (best->moved < met) break;
    } else if (attempt == 0) {
      const bool finite = status != InitialSearch::Status::not_finite;
      const std::size_t row = finite ? search.worst() : search.not_finite_row();
      const InitialCondition& condition = conditions_[stage.conditions[row]];
      first.push_back(finite ? not_satisfied(condition, search.residual(row)) : not_finite(condition, trial));
    }
  }
  if (!best) return first;
  if (best->moved >= met) try_from_stated(stage, values, *best);
  if (best->moved >= met) try_missed(stage, values, *best);
  note_chosen(stage, *best, outcome);
  outcome.values = std::move(best->values);
  return {};
}

// On the way from a guess of what is not stated, what is may be lost to another root, u = 1.1 to u = -1.1, or to a
// compromise: tried once more from where the rest belongs, and from where what is stated leads.
void InitialSystem::try_from_stated(const Stage& stage, const Vector& values, Found& best) const {
  Vector rest = best.values;
  for (const std::size_t k : stage.unknowns)
    if (unknowns_[k].given) rest[unknowns_[k].slot] = values[unknowns_[k].slot];
  const auto keep_if_closer = [&](InitialSearch& search, Vector& trial, InitialSearch::Status status, double than) {
    if (status == InitialSearch::Status::solved && search.moved() < than * best.moved)
      best = {std::move(trial), search.moved(), best.elsewhere, search.missed()};
  };
  // The same in all that is not stated: what is closer now was lost, however much others have to move in either case.
  constexpr double closer = 0.999, much_closer = 0.5;
  if (rest != values) {
    InitialSearch search(*this, stage);
    keep_if_closer(search, rest, search.run(rest, InitialSearch::Damping::path), closer);
    if (best.moved < met) return;
  }
  Vector led = follow_stated(stage, values);
  if (led == values && stage.eliminated_wishes == 0) return;  // where the first attempt began
  InitialSearch search(*this, stage);
  keep_if_closer(search, led, search.run_from(led, InitialSearch::Damping::path), much_closer);
}

// Several wishes together may have a compromise near the start values, and be met, all of them, where one of them alone
// leads: of b = 0.8 and w = cos(b) the second is nearly met in many places.
void InitialSystem::try_missed(const Stage& stage, const Vector& values, Found& best) const {
  constexpr std::size_t most = 8;
  const std::vector<std::size_t> missed = best.missed;
  for (std::size_t k = 0; k < std::min(missed.size(), most) && best.moved >= met; ++k) {
    InitialSearch search(*this, stage);
    Vector trial = values;
    if (search.run(trial, InitialSearch::Damping::path, missed[k]) != InitialSearch::Status::solved) continue;
    if (search.moved() < 0.5 * best.moved) best = {std::move(trial), search.moved(), best.elsewhere, search.missed()};
  }
}

// What nothing determines; and if several solutions are likely, as the start values led to none, what is not stated.
void InitialSystem::note_chosen(const Stage& stage, const Found& found, Outcome& outcome) const {
  const auto is_stated = [&](std::size_t k) { return unknowns_[k].trust != Trust::none; };
  if (std::ranges::all_of(stage.unknowns, is_stated)) return;
  std::vector<char> open(stage.unknowns.size(), found.elsewhere);
  Vector values = found.values;
  InitialSearch search(*this, stage);
  for (const std::size_t column : search.open_columns(values)) open[column] = 1;
  for (std::size_t column = 0; column < open.size(); ++column)
    if (open[column] && unknowns_[stage.unknowns[column]].trust == Trust::none)
      outcome.chosen.push_back(stage.unknowns[column]);
}

}  // namespace driftless
