// Reference problems: equations ready to integrate, a consistent start, and trusted digits to compare with.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/equations/equations.h"

namespace driftless::testset {

// The solution at one time, in layout order; components that are not known (or not unique) are NaN.
// At a corner time of the problem it is the limit from the left.
struct Reference {
  double time;
  Vector state;
};

struct Problem {
  std::string name = {}, title = {}, source = {}, notes = {};
  Equations equations;
  double begin = 0.0;
  Vector start = {};  // consistent, in layout order, multipliers included
  std::vector<Reference> references = {};
  double trusted_digits = 0.0;                 // of the references as published; a double holds fewer
  std::function<Vector(double t)> exact = {};  // empty unless the solution is elementary
  std::vector<double> corners = {};            // times at which the data are not smooth, up to the last reference
};

const std::vector<std::string>& problem_names();
Problem problem(std::string_view name);  // Misuse, with the known names, if there is none

}  // namespace driftless::testset
