#include "plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "decorate.h"
#include "generate.h"
#include "signal.h"

namespace driftless::fuzz {

namespace {

struct Kind {
  const char* name;
  Generate generate;
  int smallest, largest, often;
};

constexpr Kind kinds[] = {
    {"ode", generate_ode, 1, 5, 4},
    {"chain", generate_chain, 1, 8, 4},
    {"linear loop", generate_linear_loop, 2, 40, 3},
    {"array loop", generate_array_loop, 3, 40, 2},
    {"nonlinear loop", generate_nonlinear_loop, 2, 20, 3},
    {"roots", generate_roots, 1, 12, 3},
    {"derivatives", generate_derivatives, 1, 1, 2},
    {"index 2", generate_index2, 2, 5, 4},
    {"mechanism", generate_mechanism, 2, 4, 4},
    {"wide mechanics", generate_wide, 2, 5, 4},
    {"time events", generate_time_events, 1, 1, 2},
    {"state events", generate_state_events, 1, 1, 2},
    {"branches", generate_branches, 1, 1, 2},
    {"sawtooth", generate_sawtooth, 1, 1, 1},
    {"dead end", generate_dead_end, 1, 1, 1},
};

std::size_t some_kind(Random& random, const std::string& name) {
  std::vector<std::size_t> ballots;
  for (std::size_t kind = 0; kind < std::size(kinds); ++kind)
    if (name.empty() || name == kinds[kind].name) ballots.insert(ballots.end(), kinds[kind].often, kind);
  return random.one_of(ballots);
}

// Small ones more often than large ones.
int some_size(const Kind& kind, Random& random) {
  const int largest = random.chance(0.7) ? std::min(kind.largest, kind.smallest + 4) : kind.largest;
  return random.integer(kind.smallest, largest);
}

}  // namespace

bool is_kind(const std::string& name) {
  return std::any_of(std::begin(kinds), std::end(kinds), [&](const Kind& kind) { return name == kind.name; });
}

Plan plan_for(std::uint64_t seed, const std::string& name) {
  Random random(seed);
  Plan plan{.seed = seed};
  const int count = random.integer(1, 4);
  for (int i = 0; i < count; ++i) {
    const std::size_t kind = some_kind(random, name);
    plan.pieces.push_back({kind, random.seed(), some_size(kinds[kind], random)});
  }
  plan.end = random.one_of<double>({1.0, 1.0, 2.0});
  plan.all_fixed = random.chance(0.5);
  plan.clocks = random.chance(0.4);
  plan.aliases = random.chance(0.5);
  plan.couplings = random.chance(0.5);
  plan.units = random.chance(0.25);
  plan.varied = random.chance(0.7);
  return plan;
}

Made make(const Plan& plan) {
  Model model(plan.all_fixed, plan.end);
  Random random(plan.seed + 1);
  if (plan.clocks) add_clocks(model, random);
  for (const Piece& piece : plan.pieces) {
    Random own(piece.seed);
    model.begin_piece();
    kinds[piece.kind].generate(model, own, piece.size);
  }
  Random couplings(plan.seed + 2), aliases(plan.seed + 3), units(plan.seed + 4), style(plan.seed + 5);
  if (plan.couplings) add_couplings(model, couplings);
  if (plan.aliases) add_aliases(model, aliases);
  if (plan.units) choose_units(model, units);
  std::string text = modelica(model, style, plan.varied);
  return {std::move(model), std::move(text)};
}

std::string describe(const Plan& plan) {
  std::string result;
  for (const Piece& piece : plan.pieces)
    result += fmt::format("{}{} ({})", result.empty() ? "" : ", ", kinds[piece.kind].name, piece.size);
  const auto also = [&](bool there, const char* what) { result += there ? std::string(", ") + what : ""; };
  also(plan.clocks, "clocks");
  also(plan.aliases, "aliases");
  also(plan.couplings, "couplings");
  also(plan.units, "units");
  also(plan.varied, "varied");
  return result + (plan.all_fixed ? ", states fixed" : ", states stated");
}

std::vector<Plan> smaller(const Plan& plan) {
  std::vector<Plan> result;
  for (std::size_t i = 0; plan.pieces.size() > 1 && i < plan.pieces.size(); ++i) {
    result.push_back(plan);
    result.back().pieces.erase(result.back().pieces.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (bool Plan::*flag : {&Plan::aliases, &Plan::couplings, &Plan::units, &Plan::clocks, &Plan::varied}) {
    if (!(plan.*flag)) continue;
    result.push_back(plan);
    result.back().*flag = false;
  }
  for (std::size_t i = 0; i < plan.pieces.size(); ++i) {
    const int smallest = kinds[plan.pieces[i].kind].smallest;
    for (int size : {smallest, (smallest + plan.pieces[i].size) / 2, plan.pieces[i].size - 1}) {
      if (size >= plan.pieces[i].size || size < smallest) continue;
      result.push_back(plan);
      result.back().pieces[i].size = size;
    }
  }
  return result;
}

}  // namespace driftless::fuzz
