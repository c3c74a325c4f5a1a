// What the generators of constraints share: the matrices that decide the index, and the start on a constraint.
#pragma once

#include <Eigen/Dense>

#include "model.h"

namespace driftless::fuzz {

using Formulas = std::vector<Formula>;
using FormulaMatrix = std::vector<Formulas>;  // rows of entries

// d formulas[i] / d unknowns[j].
FormulaMatrix jacobian(const Formulas& formulas, const std::vector<Unknown*>& unknowns);
Eigen::MatrixXd value(const FormulaMatrix& matrix, double t);
// The worst ratio of the largest to the smallest singular value, and the smallest one, between 0 and the end.
struct Conditioning {
  double condition = 1.0, smallest = 1e300;
  bool good() const { return condition < 20.0 && smallest > 0.2; }
};
Conditioning conditioning(double end, const std::function<Eigen::MatrixXd(double)>& matrix);
// As many unknowns as there are constraints are determined by them; these may be stated nearby or not exactly fixed.
void state_start(Model& model, Random& random, const std::vector<Unknown*>& unknowns, const Eigen::MatrixXd& slopes);

}  // namespace driftless::fuzz
