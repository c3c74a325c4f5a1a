// How large the components of a state usually are, from `nominal`.
#pragma once

#include "driftless/core/matrix.h"
#include "driftless/modelfile/structure/form_plan.h"

namespace driftless {

// The nominal value of the variable itself, else that of an alias of it, in its units; 1 if none is stated.
Numbers nominals_of(const Reduction& reduction, const FormPlan& plan);

// FlatVariable::solver_unit of every component; that of x for one that stands for a multiple of x or of der(x).
Vector units_of(const Reduction& reduction, const FormPlan& plan);

}  // namespace driftless
