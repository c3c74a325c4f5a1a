// Methods by the names that the command line knows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/integrate/adaptive_options.h"

namespace driftless::cli {

// A method that chooses its steps.
struct AdaptiveEntry {
  const char* name;
  AdaptiveMethod method;
  int stages;    // of Radau: 3, 5, 7; 0: as many as pay
  bool classic;  // the scheme of Schropp 2003
  const char* title;
  const char* details;
};
std::span<const AdaptiveEntry> adaptive_methods();
const AdaptiveEntry* find_adaptive(const std::string& name);

struct MethodChoice {
  std::string name;  // as reported: radau, radau-iia-3
  AdaptiveMethod adaptive = AdaptiveMethod::automatic;
  RadauOptions radau = {};
  std::optional<Tableau> tableau = {};  // set: fixed steps
};

// A name, or FILE.json. Misuse or Stop if there is none, or if it does not go with fixed, resp. adaptive, steps.
MethodChoice choose_method(const std::string& name, bool fixed_steps);

std::vector<std::string> method_names();  // all of them, the adaptive ones first

}  // namespace driftless::cli
