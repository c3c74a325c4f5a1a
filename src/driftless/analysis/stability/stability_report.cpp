#include "driftless/analysis/stability/stability_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/analysis/stability/enclosed_jacobian.h"
#include "driftless/analysis/stability/mean_value_bound.h"
#include "driftless/analysis/stability/stability_words.h"
#include "driftless/core/infinity.h"
#include "driftless/core/require.h"

namespace driftless {

namespace {

// Upper bound below the limit: proved. A point above it: refuted.
Verdict below(const LipschitzConstant& c, double limit) {
  if (c.certain && c.upper < limit) return Verdict::yes;
  return c.sampled >= limit ? Verdict::no : Verdict::open;
}

double proved_or_infinite(const LipschitzConstant& c) { return c.certain ? c.upper : infinity; }

SplitConstants proved_split(const StabilityReport& r) {
  return {proved_or_infinite(r.differential), proved_or_infinite(r.differential_from_algebraic),
          proved_or_infinite(r.algebraic_from_differential), proved_or_infinite(r.algebraic)};
}

// Products of infinities with zeros are no numbers: not proved.
Majorant without_nan(Majorant m) {
  for (double* x : {&m.rate, &m.gain, &m.slope, &m.direct})
    if (std::isnan(*x)) *x = infinity;
  return m;
}

// Theorem 3.5 asks for M_Q+[Qf] < 0 everywhere, and for constants that hold between any two states of the box.
void find_reduced(StabilityReport& r, const Index1& form, const Index1Split& split, const LipschitzOptions& how) {
  r.graph =
      constraint_graph(form, split, r.box, proved_or_infinite(r.algebraic), how.manifold_radius, how.refinement.boxes);
  const SplitConstants constants = proved_split(r);
  const auto find = [&](Quantity quantity) {
    LipschitzOptions options = how;
    options.enclose = r.graph.solved == Verdict::yes;
    options.monotonicity = constants.algebraic;
    LipschitzConstant c = lipschitz_constant(form, split, r.box, quantity, options);
    if (r.index_1 != Verdict::yes) return c;
    const double bound = mean_value_bound(form, split, r.box, quantity, constants, how.refinement);
    if (!(bound < c.upper)) return c;
    if (!c.certain && !c.sampled_at.empty())
      c.lower = split.value(quantity, EnclosedJacobian(form).over(box_of(c.sampled_at, c.sampled_time))).lower();
    c.upper = bound;
    c.certain = true;
    return c;
  };
  r.reduced = find(Quantity::reduced);
  r.reduced_gain = find(Quantity::reduced_gain);
  r.implicit_slope = find(Quantity::implicit_slope);
  r.implicit_gain = find(Quantity::implicit_gain);
}

void fill_proved(StabilityReport& r) {
  r.split = proved_split(r);
  r.product = without_nan(majorant_of(r.split));
  r.product_proved = r.product.is_finite();
  const Majorant elimination{proved_or_infinite(r.reduced), proved_or_infinite(r.reduced_gain),
                             proved_or_infinite(r.implicit_slope), proved_or_infinite(r.implicit_gain)};
  r.sharp = r.index_1 == Verdict::yes ? smaller_of(elimination, r.product) : r.product;
  r.sharp_proved = r.sharp.is_finite();
  r.rate_proved = r.sharp.rate < infinity;
}

// Samples where nothing is proved. Where the constraint certainly leaves the box, or M_Q+ < 0 certainly fails, there is
// nothing to suppose either.
void fill_sampled(StabilityReport& r) {
  r.split = {r.differential.value(), r.differential_from_algebraic.value(), r.algebraic_from_differential.value(),
             r.algebraic.value()};
  r.product = without_nan(majorant_of(r.split));
  r.sharp = r.product;
  if (!r.split.index_1() || r.graph.solved == Verdict::no || r.reduced.sampled_at.empty()) return;
  const Majorant elimination{r.reduced.value(), r.reduced_gain.value(), r.implicit_slope.value(),
                             r.implicit_gain.value()};
  r.sharp = without_nan(smaller_of(elimination, r.product));
}

void conclude(StabilityReport& r, const Index1& form) {
  fill_proved(r);
  if (!r.rate_proved) fill_sampled(r);
  r.schur = schur_complement_constant(r.split);
  r.rate = r.sharp.rate;
  const auto all = r.constants();
  r.proved = r.product_proved && r.sharp_proved && r.graph.solved == Verdict::yes &&
             std::all_of(all.begin(), all.end(), [](const LipschitzConstant* c) { return c->certain; });
  r.exponentially_stable = r.rate_proved && r.rate < 0.0 ? Verdict::yes : Verdict::open;
  if (r.rate_proved) r.euler_step_limit = r.rate > 0.0 ? 1.0 / r.rate : infinity;
  r.sentences = sentences_of(r, form);
}

bool is_finite_at(const Index1& form, ConstSpan x, double t) {
  Matrix all(form.size(), form.size() + 1);
  form.functions().f_jacobian(x, t, all);
  return std::all_of(all.data(), all.data() + all.rows() * all.cols(), [](double e) { return std::isfinite(e); });
}

}  // namespace

StabilityReport analyse_stability(const Index1& given, const Box& box, const StabilityOptions& options) {
  require_not_negative("manifold_radius", options.manifold_radius);
  StabilityReport r;
  r.norm = options.norm.name();
  r.box = box;
  const Vector middle = box.middle();
  const auto scaling = newton_scaling_at(given, middle, box.t.middle());
  r.singular = !scaling && is_finite_at(given, middle, box.t.middle());
  r.scaled = options.scaling == ConstraintScaling::newton && scaling && given.constraint_count() > 0;
  const Index1 form = r.scaled ? with_scaled_constraint(given, *scaling) : given;
  const Index1Split split(form.projector(), options.norm);
  const LipschitzOptions how{.norm = options.norm,
                             .refinement = options.refinement,
                             .sampling = options.sampling,
                             .manifold_radius = options.manifold_radius};
  const auto find = [&](Quantity quantity) { return lipschitz_constant(form, split, box, quantity, how); };
  r.whole = find(Quantity::whole);
  r.differential = find(Quantity::differential);
  r.differential_from_algebraic = find(Quantity::differential_from_algebraic);
  r.algebraic_from_differential = find(Quantity::algebraic_from_differential);
  r.algebraic = find(Quantity::algebraic);
  r.index_1 = form.constraint_count() == 0 ? Verdict::yes : below(r.algebraic, 0.0);
  find_reduced(r, form, split, how);
  conclude(r, form);
  return r;
}

}  // namespace driftless
