#include "driftless/modelfile/compiled/model_probe.h"

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

ModelProbe::ModelProbe(std::shared_ptr<const ProbeFormulas> formulas, const Equations& equations, HeldValues held)
    : formulas_(std::move(formulas)), equations_(equations), held_(std::move(held)) {
  if (!formulas_->needs_rates()) return;
  rates_.resize(layout_of(equations).size());
  manifold_ = make_manifold(equations_);
}

bool ModelProbe::values(double t, ConstSpan state, Span out) {
  if (formulas_->needs_rates() && manifold_->rates(t, state, rates_) != ManifoldStatus::ok) return false;
  Arguments arguments(*formulas_->book_, held_, t, {{0, state}, {formulas_->rates_, rates_}});
  (*formulas_->program_)(arguments, out);
  return true;
}

}  // namespace driftless
