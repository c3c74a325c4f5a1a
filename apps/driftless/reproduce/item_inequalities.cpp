// Higueras and Soderlind 2003, section 3: the inequalities from which all bounds follow, tried on random pairs of
// states.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/split_setting.h"
#include "driftless/analysis/stability/semi_inner_product.h"

namespace reproduce {

using namespace driftless;
using namespace driftless::stability;

namespace {

constexpr int pairs = 2000;

// The largest violations of Lemma 3.1, (3.15a), (3.15b), and the largest quotient of (3.19).
struct PairFindings {
  double lemma = 0.0, differential = 0.0, algebraic = 0.0, implicit = 0.0;
};

PairFindings try_pairs(const SplitSetting& s) {
  PairFindings worst;
  Random random;
  for (int k = 0; k < pairs; ++k) {
    const double t = random.between(s.problem.box.t.lower(), s.problem.box.t.upper());
    const Vector x = random.inside(s.problem.box), y = random.inside(s.problem.box), pp = s.p(random.vector(x.size()));
    const Vector d = combined(y, -1.0, x);
    const Vector df = combined(s.f(y, t), -1.0, s.f(x, t));
    const Vector pd = s.p(d), qd = s.q(d), pf = s.p(df), qf = s.q(df);
    const double np = s.norm(pd), nq = s.norm(qd), residual = s.norm(qf), scale = 1.0 + np + nq + s.norm(df);
    const double mixed = s.c.algebraic_from_differential * np;
    worst.lemma = std::max(worst.lemma, violation(semi_inner_product(s.norm, qd, qf),
                                                  mixed * nq + s.c.algebraic * nq * nq, scale * scale));
    worst.differential =
        std::max(worst.differential,
                 violation(dini_derivative(s.norm, pd, combined(pf, 1.0, pp)),
                           s.c.differential * np + s.c.differential_from_algebraic * nq + s.norm(pp), scale));
    worst.algebraic = std::max(worst.algebraic, violation(0.0, mixed + s.c.algebraic * nq + residual, scale));
    worst.implicit = std::max(worst.implicit, nq * -s.c.algebraic / (mixed + residual));
  }
  return worst;
}

// The constants themselves: an inequality with constants that are too large holds, and says nothing.
void add_constants(const SplitSetting& s, const std::string& where, Measurement& result) {
  const SplitConstants seen = s.seen_in_pairs();
  const std::pair<const char*, double SplitConstants::*> all[] = {
      {"M_P+[Pf]", &SplitConstants::differential},
      {"L_Q[Pf]", &SplitConstants::differential_from_algebraic},
      {"L_P[Qf]", &SplitConstants::algebraic_from_differential},
      {"M_Q+[Qf]", &SplitConstants::algebraic}};
  for (const auto& [symbol, constant] : all)
    result.lines.push_back(enclosed_beside_seen(fmt::format("{} {}", where, symbol),
                                                fmt::format("{}: {} above what pairs show", where, symbol),
                                                s.c.*constant, seen.*constant, 0.05));
}

}  // namespace

Measurement inequalities() {
  Measurement result;
  for (const Case& problem : cases())
    for (const char* name : {"1", "2", "inf"}) {
      const SplitSetting setting(problem, name);
      const PairFindings found = try_pairs(setting);
      const std::string where = fmt::format("{}, norm {}", problem.name, name);
      add_constants(setting, where, result);
      result.lines.push_back(never_violated(where + " 3.1", where + ": violation of Lemma 3.1", found.lemma, "none"));
      result.lines.push_back(
          never_violated(where + " 3.15a", where + ": violation of (3.15a)", found.differential, "none, Theorem 3.2"));
      result.lines.push_back(
          never_violated(where + " 3.15b", where + ": violation of (3.15b)", found.algebraic, "none, Theorem 3.2"));
      result.lines.push_back(below_bound(where + " 3.19", where + ": |Q dx| / bound (3.19)", found.implicit,
                                         problem.name == "heat, 6 cells" ? 10.0 : 2.0, "at most 1, Theorem 3.3"));
    }
  return result;
}

}  // namespace reproduce
