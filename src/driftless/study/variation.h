// One quantity that a study varies: a list of values, or a distribution to draw from.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "driftless/core/matrix.h"

namespace driftless {

struct Distribution {
  enum class Kind { uniform, normal, lognormal };
  Kind kind = Kind::uniform;
  double a = 0.0, b = 1.0;  // ends; mean and standard deviation, of lognormal those of the logarithm
};

// Where the distribution reaches a share of its mass, 0 < share < 1.
double quantile(const Distribution& distribution, double share);

struct Variation {
  std::string name;  // of a parameter or a start value
  std::variant<Vector, Distribution> values;
};

// "k=1:0.1:2", "k=1,2,5", "k=linspace(0,1,11)", "k=logspace(1,1e4,50)" (from value to value), "g~normal(9.81,0.1)".
// Nothing for a plain setting, "k=3" or "k=2*pi"; Misuse, with what would be right, for what begins like a variation
// and is none.
std::optional<Variation> variation_from(const std::string& text);

}  // namespace driftless
