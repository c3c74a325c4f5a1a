#include "apps/driftless/reproduce/split_setting.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "driftless/analysis/stability/semi_inner_product.h"

namespace reproduce {

using namespace driftless;

SplitSetting::SplitSetting(const stability::Case& one, const char* norm_name)
    : problem(one), norm(Norm::by_name(norm_name)), split(one.form.projector(), norm) {
  c = analyse_stability(one.form, one.box,
                        {.norm = norm, .refinement = {.relative = 1e-3, .boxes = 400}, .sampling = {.points = 50}})
          .split;
}

Vector SplitSetting::f(const Vector& x, double t) const {
  Vector value(x.size());
  problem.form.functions().f(x, t, value);
  return value;
}

SplitConstants SplitSetting::seen_in_pairs() const {
  constexpr int pairs = 4000;
  constexpr double length = 1e-6;
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  SplitConstants seen{nothing, nothing, nothing, nothing};
  Random random;
  const auto raise = [](double& largest, double value) { largest = std::fmax(largest, value); };
  for (int k = 0; k < pairs; ++k) {
    const double t = random.between(problem.box.t.lower(), problem.box.t.upper());
    const Vector x = random.inside(problem.box), here = f(x, t), d = random.direction(x.size());
    for (const bool differential : {true, false}) {
      const Vector part = differential ? p(d) : q(d);
      const double size = length * norm(part);
      if (size == 0.0) continue;
      const Vector step = combined(Vector(x.size()), length, part);
      const Vector change = combined(f(combined(x, 1.0, step), t), -1.0, here), along_p = p(change),
                   along_q = q(change);
      const double growth = semi_inner_product(norm, step, differential ? along_p : along_q) / (size * size);
      const double other = norm(differential ? along_q : along_p) / size;
      raise(differential ? seen.differential : seen.algebraic, growth);
      raise(differential ? seen.algebraic_from_differential : seen.differential_from_algebraic, other);
    }
  }
  return seen;
}

Line enclosed_beside_seen(std::string id, std::string what, double enclosed, double seen, double most) {
  return {.id = std::move(id),
          .what = std::move(what),
          .paper = fmt::format("{:.6g}, the supremum; pairs show {:.6g}", enclosed, seen),
          .measured = (enclosed - seen) / (1.0 + std::abs(seen)),
          .low = -1e-6,  // rounding of differences
          .high = most};
}

}  // namespace reproduce
