#include "driftless/linalg/linear_system.h"
#include "driftless/modelfile/compiled/compiled_forms.h"
#include "driftless/modelfile/compiled/compiled_patterns.h"

namespace driftless {

namespace {

// Inputs: u, v, lambda, time, held; a direction for u with one for time.
class Index3Formulas {
 public:
  Index3Formulas(std::shared_ptr<FormulaBook> book, const Index3Plan& plan)
      : n(plan.u.size()),
        p(plan.v.size()),
        m(plan.lambda.size()),
        direction(book->add_inputs(n)),
        time_direction(book->add_inputs(1)),
        book_(book),
        f(book, plan.u, plan.u_rates, n + p),
        k(book, both(plan), plan.rates, n + p + m),
        g_(take_constraints(*book, plan.g)) {}

  // Once they are asked for; null where dense matrices are quicker, or rates come out of a linear system.
  const Index3::Functions::Patterns* patterns() const {
    std::call_once(once_, [this] {
      if (f.is_explicit() && k.is_explicit() && wants_pattern(n + p + m)) find_patterns();
    });
    return patterns_ ? &*patterns_ : nullptr;
  }

  const std::size_t n, p, m;
  const std::uint32_t direction, time_direction;
  const FormulaBook& book() const { return *book_; }

 private:
  static Components both(const Index3Plan& plan) {
    Components all = plan.u;
    all.insert(all.end(), plan.v.begin(), plan.v.end());
    return all;
  }
  MatrixEntries jacobian_of(Graph& graph, const std::vector<Expr>& values) const {
    MatrixEntries entries;
    add_jacobian(graph, values, n, book_->time(), 0, entries);
    return entries;
  }
  // f by (u, v, t), k by (u, v, lambda), g by (u, t).
  MatrixEntries f_entries(Graph& graph) const { return derivatives(graph, f.formulas(), n + p, book_->time()); }
  MatrixEntries k_entries(Graph& graph) const {
    return derivatives(graph, std::span(k.formulas()).subspan(n), n + p + m, {});
  }
  MatrixEntries g_entries(Graph& graph) const { return derivatives(graph, g_, n, book_->time()); }
  void find_patterns() const {
    const FormulaBook::Addition addition(*book_);
    Graph& graph = book_->graph();
    patterns_ = Index3::Functions::Patterns{.f = pattern_of(f_entries(graph), n, n + p + 1),
                                            .k = pattern_of(k_entries(graph), p, n + p + m),
                                            .g = pattern_of(g_entries(graph), m, n + 1)};
  }
  mutable std::once_flag once_;
  mutable std::optional<Index3::Functions::Patterns> patterns_;

  SymbolicDirection along(Graph& graph) const {
    SymbolicDirection result{{book_->time(), graph.input(time_direction)}};
    for (std::uint32_t i = 0; i < n; ++i) result[i] = graph.input(direction + i);
    return result;
  }

  std::shared_ptr<const FormulaBook> book_;

 public:
  const CompiledRates f;  // of u
  const CompiledRates k;  // of u and v; only those of v are used

 private:
  std::vector<Expr> g_;

 public:
  const LazyVector g{book_, [this](Graph&) { return g_; }};
  const LazyMatrices g_jacobian{book_, [this](Graph& graph) { return jacobian_of(graph, g_); }};
  const LazyMatrices tangent_jacobian{
      book_, [this](Graph& graph) { return jacobian_of(graph, derivative_along(graph, g_, along(graph))); }};
  const LazyVector curvature{book_, [this](Graph& graph) {
                               const SymbolicDirection d = along(graph);
                               return derivative_along(graph, derivative_along(graph, g_, d), d);
                             }};
  // On the patterns.
  const LazyVector f_on_pattern{book_, [this](Graph& graph) { return values_of(f_entries(graph)); }};
  const LazyVector k_on_pattern{book_, [this](Graph& graph) { return values_of(k_entries(graph)); }};
  const LazyVector g_on_pattern{book_, [this](Graph& graph) { return values_of(g_entries(graph)); }};
};

class CompiledIndex3 final : public Index3::Functions {
 public:
  CompiledIndex3(std::shared_ptr<const Index3Formulas> formulas, HeldValues held)
      : f_(std::move(formulas)), held_(std::move(held)) {}

  void f(ConstSpan u, ConstSpan v, double t, Span out) const override {
    Arguments a = at(u, v, {}, t);
    f_->f.value(a, out);
  }
  void k(ConstSpan u, ConstSpan v, ConstSpan lambda, double t, Span out) const override {
    Arguments a = at(u, v, lambda, t);
    const Span both = a.scratch().take<double>(f_->n + f_->p);
    f_->k.value(a, both);
    std::copy(both.begin() + static_cast<std::ptrdiff_t>(f_->n), both.end(), out.begin());
  }
  void g(ConstSpan u, double t, Span out) const override { f_->g(at(u, {}, {}, t), out); }
  void f_jacobian(ConstSpan u, ConstSpan v, double t, MatrixView j) const override {
    Arguments a = at(u, v, {}, t);
    f_->f.jacobian(a, j);
  }
  void k_jacobian(ConstSpan u, ConstSpan v, ConstSpan lambda, double t, MatrixView j) const override {
    Arguments a = at(u, v, lambda, t);
    const std::size_t rows = f_->n + f_->p;
    const MatrixView both{a.scratch().take<double>(rows * j.cols).data(), rows, j.cols, rows};
    f_->k.jacobian(a, both);
    for (std::size_t c = 0; c < j.cols; ++c)
      for (std::size_t i = 0; i < f_->p; ++i) j(i, c) = both(f_->n + i, c);
  }
  void g_jacobian(ConstSpan u, double t, MatrixView j) const override {
    Arguments a = at(u, {}, {}, t);
    f_->g_jacobian(a, {j});
  }
  void g_tangent_jacobian(ConstSpan u, double t, ConstSpan du, double dt, MatrixView j) const override {
    Arguments a = along(u, t, du, dt);
    f_->tangent_jacobian(a, {j});
  }
  void g_curvature(ConstSpan u, double t, ConstSpan du, double dt, Span out) const override {
    f_->curvature(along(u, t, du, dt), out);
  }
  const Patterns* patterns() const override { return f_->patterns(); }
  void f_values(ConstSpan u, ConstSpan v, double t, Span values) const override {
    if (!patterns()) return Index3::Functions::f_values(u, v, t, values);
    f_->f_on_pattern(at(u, v, {}, t), values);
  }
  void k_values(ConstSpan u, ConstSpan v, ConstSpan lambda, double t, Span values) const override {
    if (!patterns()) return Index3::Functions::k_values(u, v, lambda, t, values);
    f_->k_on_pattern(at(u, v, lambda, t), values);
  }
  void g_values(ConstSpan u, double t, Span values) const override {
    if (!patterns()) return Index3::Functions::g_values(u, t, values);
    f_->g_on_pattern(at(u, {}, {}, t), values);
  }

 private:
  Arguments at(ConstSpan u, ConstSpan v, ConstSpan lambda, double t) const {
    return {f_->book(), held_, t, {{0, u}, {f_->n, v}, {f_->n + f_->p, lambda}}};
  }
  Arguments along(ConstSpan u, double t, ConstSpan du, double dt) const {
    return {f_->book(), held_, t, {{0, u}, {f_->direction, du}, {f_->time_direction, {&dt, 1}}}};
  }

  std::shared_ptr<const Index3Formulas> f_;
  HeldValues held_;
};

class Index3Equations final : public ModelEquations {
 public:
  Index3Equations(std::shared_ptr<FormulaBook> book, const Index3Plan& plan)
      : shape_{.u = plan.u.size(),
               .v = plan.v.size(),
               .lambda = plan.lambda.size(),
               .u_names = names_of(plan.u),
               .v_names = names_of(plan.v),
               .lambda_names = names_of(plan.lambda),
               .constraint_names = names_of(plan.g)},
        formulas_(std::make_shared<const Index3Formulas>(std::move(book), plan)) {}

  Equations equations(HeldValues held) const override {
    return Index3(shape_, std::make_shared<const CompiledIndex3>(formulas_, std::move(held)));
  }

 private:
  Index3::Shape shape_;
  std::shared_ptr<const Index3Formulas> formulas_;
};

}  // namespace

std::shared_ptr<const ModelEquations> make_form(std::shared_ptr<FormulaBook> book, const Index3Plan& plan) {
  return std::make_shared<const Index3Equations>(std::move(book), plan);
}

}  // namespace driftless
