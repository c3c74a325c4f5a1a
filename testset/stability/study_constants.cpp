#include <algorithm>

#include "driftless/analysis/stability/lipschitz_constants.h"
#include "testset/stability/study.h"

namespace driftless::stability {

namespace {

struct Known {
  const char* problem;
  const char* norm;
  double mp, lq, lp, mq;
};

// testset/lognorm.cpp: y' = A11 y + A12 z, 0 = A21 y + A22 z, and y' = -3 y + sin y + B sin z, 0 = -2 z - z^3 + C atan
// y.
constexpr Known all_known[] = {{"lognorm_linear", "2", -3.0, 1.0, 0.5, -3.0},
                               {"lognorm_linear", "inf", -2.0, 1.4, 0.5, -3.0},
                               {"lognorm_nonlinear", "2", -2.0, 1.0, 0.5, -2.0},
                               {"lognorm_nonlinear", "inf", -2.0, 1.4, 0.7, -2.0}};

}  // namespace

double quotient(const Pair& pair, double noise) {
  return pair.measured <= noise ? 0.0 : (pair.measured - noise) / pair.bound;
}

std::vector<ConstantRow> study_constants(const std::vector<std::size_t>& boxes) {
  std::vector<ConstantRow> rows;
  for (const Known& known : all_known) {
    const Index1 form = std::get<Index1>(testset::problem(known.problem).equations);
    const Box box = box_around(Vector(4, 0.0), Vector(4, 2.5));
    const std::pair<Quantity, double> table[] = {{Quantity::differential, known.mp},
                                                 {Quantity::differential_from_algebraic, known.lq},
                                                 {Quantity::algebraic_from_differential, known.lp},
                                                 {Quantity::algebraic, known.mq}};
    for (const auto& [quantity, exact] : table)
      for (const std::size_t count : boxes) {
        const LipschitzConstant c = lipschitz_constant(
            form, box, quantity,
            {.norm = Norm::by_name(known.norm), .refinement = {.relative = 1e-7, .absolute = 1e-12, .boxes = count}});
        rows.push_back({known.problem, known.norm, symbol_of(quantity), exact, count, c.lower, c.upper, c.sampled});
      }
  }
  return rows;
}

}  // namespace driftless::stability
