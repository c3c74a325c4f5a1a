// A Runge-Kutta method from a file of the user's own: {"A": [["1/4", 0], ["1/2", "1/4"]], "b": ["1/2", "1/2"]}.
#pragma once

#include <string>

#include "apps/driftless/output/json.h"
#include "driftless/tableau/tableau.h"

namespace driftless::cli {

// FILE.json: no method that the program knows is called so.
bool names_tableau_file(const std::string& name);

// Stop, with the file and the place in it, unless it has A and b that fit together, and c = A 1 if it states c.
Tableau tableau_from_file(const std::string& path);

// A, b and c as such a file has them.
Json coefficients_as_json(const Tableau& tableau);

}  // namespace driftless::cli
