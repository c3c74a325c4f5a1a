#include "driftless/linalg/linear_system.h"
#include "driftless/modelfile/compiled/compiled_forms.h"
#include "driftless/modelfile/compiled/compiled_patterns.h"

namespace driftless {

namespace {

// Inputs: u, lambda, time, held; a direction for u. Gamma is kept as a matrix if it depends on u and t alone.
class Index2Formulas {
 public:
  Index2Formulas(std::shared_ptr<FormulaBook> book, const Index2Plan& plan)
      : n(plan.u.size()),
        m(plan.lambda.size()),
        direction(book->add_inputs(n)),
        book_(book),
        rates(book, plan.u, plan.rates, n + m),
        has_gamma(!rates.is_explicit() && !reads_multipliers()),
        g_(take_constraints(*book, plan.g)) {}

  // Once they are asked for; null where dense matrices are quicker, or rates come out of a linear system.
  const Index2::Functions::Patterns* patterns() const {
    std::call_once(once_, [this] {
      if ((has_gamma || rates.is_explicit()) && wants_pattern(n + m)) find_patterns();
    });
    return patterns_ ? &*patterns_ : nullptr;
  }

  const std::size_t n, m;
  const std::uint32_t direction;
  const FormulaBook& book() const { return *book_; }

 private:
  std::shared_ptr<const FormulaBook> book_;

 public:
  const CompiledRates rates;
  const bool has_gamma;

 private:
  std::vector<Expr> g_;

  bool reads_multipliers() const {
    for (const MatrixEntry& e : rates.matrix())
      for (const std::uint32_t slot : inputs_of(book_->graph(), e.value))
        if (slot >= n && slot < n + m) return true;
    return false;
  }

  MatrixEntries gamma_entries(Graph& graph) const {
    MatrixEntries entries;
    const auto& coupled = rates.coupled();
    std::vector<char> is_coupled(n, 0);
    for (const std::size_t i : coupled) is_coupled[i] = 1;
    for (std::uint32_t i = 0; i < n; ++i)
      if (!is_coupled[i]) entries.push_back({0, i, i, graph.constant(1.0)});
    for (const MatrixEntry& e : rates.matrix())
      entries.push_back(
          {0, static_cast<std::uint32_t>(coupled[e.row]), static_cast<std::uint32_t>(coupled[e.column]), e.value});
    return entries;
  }
  std::vector<Expr> f_values() const {
    std::vector<Expr> values = rates.formulas();
    for (std::size_t i = 0; i < rates.coupled().size(); ++i) values[rates.coupled()[i]] = rates.right_side()[i];
    return values;
  }
  MatrixEntries jacobian_of(Graph& graph, const std::vector<Expr>& values, std::size_t columns) const {
    MatrixEntries entries;
    add_jacobian(graph, values, columns, book_->time(), 0, entries);
    return entries;
  }
  MatrixEntries f_entries(Graph& graph) const { return derivatives(graph, f_values(), n + m, {}); }
  MatrixEntries g_entries(Graph& graph) const { return derivatives(graph, g_, n, book_->time()); }
  MatrixEntries gamma_u_entries(Graph& graph) const {
    return has_gamma ? derivatives(graph, gamma_times_direction(graph), n, {}) : MatrixEntries{};
  }
  MatrixEntries gamma_sorted(Graph& graph) const {
    MatrixEntries entries = gamma_entries(graph);
    sort_by_column(entries);
    return entries;
  }
  void find_patterns() const {
    const FormulaBook::Addition addition(*book_);
    Graph& graph = book_->graph();
    patterns_ = Index2::Functions::Patterns{.f = pattern_of(f_entries(graph), n, n + m),
                                            .g = pattern_of(g_entries(graph), m, n + 1),
                                            .gamma = pattern_of(gamma_sorted(graph), n, n),
                                            .gamma_u = pattern_of(gamma_u_entries(graph), n, n)};
  }
  std::vector<Expr> f_lambda_formulas(Graph& graph) const {
    MatrixEntries entries = f_entries(graph);
    std::erase_if(entries, [this](const MatrixEntry& e) { return e.column < n; });
    return values_of(entries);
  }
  mutable std::once_flag once_;
  mutable std::optional<Index2::Functions::Patterns> patterns_;
  std::vector<Expr> gamma_times_direction(Graph& graph) const {
    std::vector<Expr> product(n);
    for (const MatrixEntry& e : gamma_entries(graph))
      product[e.row] = graph.add(product[e.row], graph.multiply(e.value, graph.input(direction + e.column)));
    return product;
  }

 public:
  const LazyVector f{book_, [this](Graph&) { return f_values(); }};
  const LazyVector g{book_, [this](Graph&) { return g_; }};
  const LazyMatrices f_jacobian{book_, [this](Graph& graph) { return jacobian_of(graph, f_values(), n + m); }};
  const LazyMatrices g_jacobian{book_, [this](Graph& graph) { return jacobian_of(graph, g_, n); }};
  const LazyMatrices gamma{book_, [this](Graph& graph) { return gamma_entries(graph); }};
  const LazyMatrices gamma_jacobian{
      book_, [this](Graph& graph) { return jacobian_of(graph, gamma_times_direction(graph), n); }};
  // On the patterns.
  const LazyVector f_on_pattern{book_, [this](Graph& graph) { return values_of(f_entries(graph)); }};
  const LazyVector f_lambda_on_pattern{book_, [this](Graph& graph) { return f_lambda_formulas(graph); }};
  const LazyVector g_on_pattern{book_, [this](Graph& graph) { return values_of(g_entries(graph)); }};
  const LazyVector gamma_on_pattern{book_, [this](Graph& graph) { return values_of(gamma_sorted(graph)); }};
  const LazyVector gamma_u_on_pattern{book_, [this](Graph& graph) { return values_of(gamma_u_entries(graph)); }};
};

class CompiledIndex2 final : public Index2::Functions {
 public:
  CompiledIndex2(std::shared_ptr<const Index2Formulas> formulas, HeldValues held)
      : f_(std::move(formulas)), held_(std::move(held)), solves_(!f_->has_gamma && !f_->rates.is_explicit()) {}

  bool has_gamma() const override { return f_->has_gamma; }
  void gamma(ConstSpan u, double t, MatrixView out) const override {
    Arguments a = at(u, {}, t);
    f_->gamma(a, {out});
  }
  void f(ConstSpan u, ConstSpan lambda, double t, Span out) const override {
    Arguments a = at(u, lambda, t);
    if (solves_)
      f_->rates.value(a, out);
    else
      f_->f(a, out);
  }
  void g(ConstSpan u, double t, Span out) const override { f_->g(at(u, {}, t), out); }
  void f_jacobian(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const override {
    Arguments a = at(u, lambda, t);
    if (solves_)
      f_->rates.jacobian(a, j);
    else
      f_->f_jacobian(a, {j});
  }
  void g_jacobian(ConstSpan u, double t, MatrixView j) const override {
    Arguments a = at(u, {}, t);
    f_->g_jacobian(a, {j});
  }
  void gamma_jacobian(ConstSpan u, double t, ConstSpan w, MatrixView j) const override {
    Arguments a = at(u, {}, t);
    a.put({f_->direction, w});
    f_->gamma_jacobian(a, {j});
  }
  const Patterns* patterns() const override { return f_->patterns(); }
  void f_values(ConstSpan u, ConstSpan lambda, double t, Span values) const override {
    if (!patterns()) return Index2::Functions::f_values(u, lambda, t, values);
    f_->f_on_pattern(at(u, lambda, t), values);
  }
  void f_lambda_values(ConstSpan u, ConstSpan lambda, double t, Span values) const override {
    if (!patterns()) return Index2::Functions::f_lambda_values(u, lambda, t, values);
    f_->f_lambda_on_pattern(at(u, lambda, t), values);
  }
  void g_values(ConstSpan u, double t, Span values) const override {
    if (!patterns()) return Index2::Functions::g_values(u, t, values);
    f_->g_on_pattern(at(u, {}, t), values);
  }
  void gamma_values(ConstSpan u, double t, Span values) const override {
    if (!patterns()) return Index2::Functions::gamma_values(u, t, values);
    f_->gamma_on_pattern(at(u, {}, t), values);
  }
  void gamma_u_values(ConstSpan u, double t, ConstSpan w, Span values) const override {
    if (!patterns()) return Index2::Functions::gamma_u_values(u, t, w, values);
    Arguments a = at(u, {}, t);
    a.put({f_->direction, w});
    f_->gamma_u_on_pattern(a, values);
  }

 private:
  Arguments at(ConstSpan u, ConstSpan lambda, double t) const {
    return {f_->book(), held_, t, {{0, u}, {f_->n, lambda}}};
  }

  std::shared_ptr<const Index2Formulas> f_;
  HeldValues held_;
  bool solves_;
};

class Index2Equations final : public ModelEquations {
 public:
  Index2Equations(std::shared_ptr<FormulaBook> book, const Index2Plan& plan)
      : formulas_(std::make_shared<const Index2Formulas>(std::move(book), plan)),
        first_({.u = plan.u.size(),
                .lambda = plan.lambda.size(),
                .u_names = names_of(plan.u),
                .lambda_names = names_of(plan.lambda),
                .constraint_names = names_of(plan.g)},
               std::make_shared<const CompiledIndex2>(formulas_, HeldValues{})) {}

  Equations equations(HeldValues held) const override {
    return first_.with_functions(std::make_shared<const CompiledIndex2>(formulas_, std::move(held)));
  }

 private:
  std::shared_ptr<const Index2Formulas> formulas_;
  Index2 first_;
};

}  // namespace

std::shared_ptr<const ModelEquations> make_form(std::shared_ptr<FormulaBook> book, const Index2Plan& plan) {
  return std::make_shared<const Index2Equations>(std::move(book), plan);
}

}  // namespace driftless
