#include "constraints.h"

namespace driftless::fuzz {

FormulaMatrix jacobian(const Formulas& formulas, const std::vector<Unknown*>& unknowns) {
  FormulaMatrix result;
  for (const Formula& formula : formulas) {
    result.emplace_back();
    for (const Unknown* unknown : unknowns) result.back().push_back(partial(formula, *unknown));
  }
  return result;
}

Eigen::MatrixXd value(const FormulaMatrix& matrix, double t) {
  Eigen::MatrixXd result(matrix.size(), matrix.front().size());
  for (Eigen::Index i = 0; i < result.rows(); ++i)
    for (Eigen::Index j = 0; j < result.cols(); ++j)
      result(i, j) = value(matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)], t);
  return result;
}

Conditioning conditioning(double end, const std::function<Eigen::MatrixXd(double)>& matrix) {
  Conditioning worst;
  constexpr int samples = 20;
  for (int i = 0; i <= samples; ++i) {
    const Eigen::VectorXd sizes = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix(end * i / samples)).singularValues();
    worst.condition = std::max(worst.condition, sizes(0) / sizes(sizes.size() - 1));
    worst.smallest = std::min(worst.smallest, sizes(sizes.size() - 1));
  }
  return worst;
}

void state_start(Model& model, Random& random, const std::vector<Unknown*>& unknowns, const Eigen::MatrixXd& slopes) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> decomposition(slopes);
  for (Unknown* unknown : unknowns) unknown->start = model.start_of_state();
  if (!model.all_fixed()) return;
  for (Eigen::Index k = 0; k < decomposition.rank(); ++k) {
    Unknown& determined = *unknowns[static_cast<std::size_t>(decomposition.colsPermutation().indices()(k))];
    determined.start = random.chance(0.5) ? Start::nearby : Start::stated;
    determined.nearby = random.real(0.99, 1.01);
  }
}

}  // namespace driftless::fuzz
