// How the constraints of a form stand to the equations of the model.
#pragma once

#include "driftless/equations/equations.h"
#include "driftless/equations/written_constraint.h"
#include "driftless/expression/parameter_trace.h"
#include "driftless/modelfile/structure/form_plan.h"

namespace driftless {

// One by one. Where constraints of index 1 are a mixture of equations, the scale makes a bound: no equation is off by
// more than the largest of the constraints in it, divided by their scales.
std::vector<WrittenConstraint> written_constraints(const FormPlan& plan, const Equations& equations,
                                                   const ParameterValues& parameters);

}  // namespace driftless
