// The same index-1 problem with its constraint multiplied by a matrix, or with a perturbation added to its equations.
#pragma once

#include <functional>
#include <optional>

#include "driftless/equations/index1.h"

namespace driftless {

// T f with T = P + V C V^+: the constraint Q f = 0, in a basis V of Im Q, is multiplied by the regular matrix C (size
// of the constraint). Solutions are the same, constants are not: M_Q+[Qf] < 0 is a property of how a constraint is
// written.
Index1 with_scaled_constraint(const Index1& form, const Matrix& c);

// C = -(Q f_x on Im Q)^-1 at this point, so that M_Q+[Qf] = -1 there and residuals are measured in units of Q x. Misuse
// if that matrix is singular.
Index1 with_newton_scaling(const Index1& form, ConstSpan x, double t);
Matrix newton_scaling(const Index1& form, ConstSpan x, double t);
// The same, or nothing where it is singular.
std::optional<Matrix> newton_scaling_at(const Index1& form, ConstSpan x, double t);

// P x' = f(x, t) + p(t): (3.6). `p` writes one number per equation.
using PerturbationFunction = std::function<void(double t, Span p)>;
Index1 perturbed(const Index1& form, PerturbationFunction p);

}  // namespace driftless
