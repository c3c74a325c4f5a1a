#include "driftless/modelfile/compiled/model_probe.h"

#include <algorithm>
#include <cmath>

#include "driftless/core/stop.h"
#include "driftless/linalg/lu.h"

namespace driftless {

ProbeFormulas::ProbeFormulas(Reduction& reduction, const FormPlan& plan, std::span<const std::uint32_t> held,
                             std::vector<Expr> expressions, Engine engine) {
  Graph& graph = reduction.model.graph;
  expressions = substitute(graph, substitute(graph, expressions, reduction.values), plan.replaced);
  std::vector<std::uint32_t> slots, rates;
  for (const Component& c : components_of(plan)) {
    slots.push_back(c.slot);
    rates.push_back(c.rate);
  }
  book_ = std::make_shared<FormulaBook>(graph, slots, reduction.model.time_slot, held, engine);
  rates_ = book_->add_inputs(rates.size(), rates);
  rate_count_ = rates.size();
  values_ = std::make_unique<std::vector<Expr>>(book_->take(expressions));
  prepare();
}

ProbeFormulas::ProbeFormulas(const ProbeFormulas& whole, std::size_t which)
    : book_(whole.book_),
      values_(std::make_unique<std::vector<Expr>>(1, (*whole.values_)[which])),
      rates_(whole.rates_),
      rate_count_(whole.rate_count_) {
  prepare();
}

void ProbeFormulas::prepare() {
  for (const std::uint32_t slot : inputs_of(book_->graph(), *values_))
    needs_rates_ |= slot >= rates_ && slot < rates_ + rate_count_;
  program_ = std::make_unique<LazyVector>(book_, [values = values_.get()](Graph&) { return *values; });
}

ModelProbe::ModelProbe(std::shared_ptr<const ProbeFormulas> formulas, const Equations& equations, Vector held)
    : formulas_(std::move(formulas)), equations_(equations), held_(std::move(held)) {
  if (!formulas_->needs_rates()) return;
  rates_.resize(layout_of(equations).size());
  if (!std::holds_alternative<Index1>(equations_)) manifold_ = make_manifold(equations_);
}

bool ModelProbe::find_rates(double t, ConstSpan state) {
  if (manifold_) return manifold_->derivative(t, state, rates_) == ManifoldStatus::ok;
  return index1_rates(std::get<Index1>(equations_), t, state, rates_);
}

bool ModelProbe::values(double t, ConstSpan state, Span out) {
  if (formulas_->needs_rates() && !find_rates(t, state)) return false;
  Arguments arguments(*formulas_->book_, held_, t, {{0, state}, {formulas_->rates_, rates_}});
  (*formulas_->program_)(arguments, out);
  return true;
}

// x' = P f + Q w, where (P + Q f_x) w = -Q (f_t + f_x P f). Nothing that units do to the matrix touches P x'.
bool index1_rates(const Index1& form, double t, ConstSpan x, Span rates) {
  const std::size_t n = form.size();
  Vector f(n), differential(n, 0.0), along(n), w(n, 0.0);
  Matrix jacobian(n, n + 1);
  form.functions().f(x, t, f);
  form.functions().f_jacobian(x, t, jacobian);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) differential[i] += form.projector()(i, k) * f[k];
  for (std::size_t k = 0; k < n; ++k) {
    along[k] = jacobian(k, n);
    for (std::size_t j = 0; j < n; ++j) along[k] += jacobian(k, j) * differential[j];
  }
  RealLu lu(n);
  std::vector<std::size_t> nonzero;  // in a row of Q, which is mostly empty
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 16 == 15) check_stop();
    nonzero.clear();
    for (std::size_t k = 0; k < n; ++k)
      if (form.complement()(i, k) != 0.0) nonzero.push_back(k);
    double largest = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      double sum = form.projector()(i, j);
      for (const std::size_t k : nonzero) sum += form.complement()(i, k) * jacobian(k, j);
      lu.matrix()(i, j) = sum;
      largest = std::max(largest, std::abs(sum));
    }
    if (largest == 0.0) return false;
    for (std::size_t k = 0; k < n; ++k) w[i] -= form.complement()(i, k) * along[k];
    w[i] /= largest;
    for (std::size_t j = 0; j < n; ++j) lu.matrix()(i, j) /= largest;
  }
  if (!lu.factorise()) return false;
  lu.solve(w);
  for (std::size_t i = 0; i < n; ++i) {
    rates[i] = differential[i];
    for (std::size_t k = 0; k < n; ++k) rates[i] += form.complement()(i, k) * w[k];
  }
  return true;
}

}  // namespace driftless
