// What a tableau does to contractive problems, sections 4 and 5 of Higueras and Soderlind 2003: algebraic stability
// with its certificate, and m_D[A^-1], which limits the steps whose stages have exactly one solution.
#pragma once

#include <string>

#include "apps/driftless/output/json.h"
#include "driftless/tableau/tableau.h"

namespace driftless::cli {

std::string contraction_text(const Tableau& tableau);

// "certificate" and "stage_monotonicity".
Json contraction_as_json(const Tableau& tableau);

}  // namespace driftless::cli
