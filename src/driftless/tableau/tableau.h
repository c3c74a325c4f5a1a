// A Runge-Kutta method as data: its coefficients and where they
// are from. What it is good for is computed, see properties.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/core/matrix.h"

namespace driftless {

struct Tableau {
  std::string name;  // the key for tableau_by_name, e.g. "radau-iia-3"
  std::string citation;
  Matrix a;
  Vector b;
  Vector c;
  std::optional<Vector> embedded = {};  // weights of a second method on the same stages, for error estimates
  std::string title = {};               // for people, e.g. "Radau IIA (3 stages)"; the name where none is given

  std::size_t stages() const { return b.size(); }
  friend bool operator==(const Tableau&, const Tableau&) = default;
};

// What to call the method in a sentence: its title, else its name, else "this method".
std::string title_of(const Tableau& tableau);

// A tableau from the user's own numbers; c = row sums of A if
// left empty. Throws Misuse if sizes or values cannot be right.
Tableau from_numbers(std::string name, Matrix a, Vector b, Vector c = {});

// "gauss-2", "radau-iia-3", "hem5", ...; capitals, blanks and underscores are forgiven. Throws Misuse for an unknown
// name, with the known ones and the closest.
Tableau tableau_by_name(std::string_view name);

// Every name that tableau_by_name knows, one spelling each.
std::vector<std::string> tableau_names();

}  // namespace driftless
