#include "driftless/core/memory.h"
#include "driftless/modelfile/compiled/compiled_forms.h"
#include "driftless/modelfile/compiled/lazy_enclosure.h"

namespace driftless {

namespace {

// Inputs: x, time, held.
class Index1Formulas {
 public:
  Index1Formulas(std::shared_ptr<FormulaBook> book, const Index1Plan& plan)
      : n(plan.x.size()),
        book_(book),
        rates(book, plan.x, plan.rates, n),
        f_(book->take(plan.f)),
        f(book, [this](Graph&) { return f_; }),
        f_jacobian(book,
                   [this](Graph& graph) {
                     MatrixEntries entries;
                     add_jacobian(graph, f_, n, book_->time(), 0, entries);
                     return entries;
                   }),
        enclosure(book, n, [this](Graph&) {
          std::vector<Expr> all = rates.formulas();
          all.insert(all.end(), f_.begin(), f_.end());
          return all;
        }) {}

  const FormulaBook& book() const { return *book_; }
  const std::size_t n;

 private:
  std::shared_ptr<const FormulaBook> book_;

 public:
  const CompiledRates rates;  // of the first components, if their matrix is not constant

 private:
  std::vector<Expr> f_;

 public:
  const LazyVector f;
  const LazyMatrices f_jacobian;
  const LazyEnclosure enclosure;  // of all components; only if no linear system has to be solved for rates
};

class CompiledIndex1 final : public Index1::Functions {
 public:
  CompiledIndex1(std::shared_ptr<const Index1Formulas> formulas, HeldValues held)
      : f_(std::move(formulas)), held_(std::move(held)) {}

  void f(ConstSpan x, double t, Span out) const override {
    Arguments a{f_->book(), held_, t, {{0, x}}};
    const std::size_t first = f_->rates.size();
    if (first > 0) f_->rates.value(a, out.subspan(0, first));
    f_->f(a, out.subspan(first));
  }
  void f_jacobian(ConstSpan x, double t, MatrixView j) const override {
    Arguments a{f_->book(), held_, t, {{0, x}}};
    const std::size_t first = f_->rates.size();
    if (first > 0) f_->rates.jacobian(a, j.block(0, 0, first, j.cols));
    f_->f_jacobian(a, {j.block(first, 0, f_->n - first, j.cols)});
  }
  bool encloses() const override { return f_->rates.is_explicit(); }
  void enclose(std::span<const Interval> x, const Interval& t, std::span<Interval> f,
               BasicMatrixView<Interval> j) const override {
    f_->enclosure(x, t, held_, f, j);
  }

 private:
  std::shared_ptr<const Index1Formulas> f_;
  HeldValues held_;
};

// The projector is analysed once, when equations are first asked for.
class Index1Equations final : public ModelEquations {
 public:
  Index1Equations(std::shared_ptr<FormulaBook> book, const Index1Plan& plan)
      : projector_(plan.projector),
        x_names_(names_of(plan.x)),
        equation_names_(distinct_names(plan.equation_names)),
        formulas_(std::make_shared<const Index1Formulas>(std::move(book), plan)) {}

  Equations equations(HeldValues held) const override {
    auto functions = std::make_shared<const CompiledIndex1>(formulas_, std::move(held));
    std::call_once(once_, [&] {
      require_dense(x_names_.size(), 6.0, "the equations");  // the projector, its complement, Jacobians
      Matrix p(x_names_.size(), x_names_.size());
      for (const auto& [row, column, value] : projector_) p(row, column) = value;
      first_.emplace(Index1::Shape{std::move(p), x_names_, equation_names_}, functions);
    });
    return first_->with_functions(std::move(functions));
  }

 private:
  std::vector<Index1Plan::Entry> projector_;
  Names x_names_, equation_names_;
  std::shared_ptr<const Index1Formulas> formulas_;
  mutable std::once_flag once_;
  mutable std::optional<Index1> first_;
};

}  // namespace

std::shared_ptr<const ModelEquations> make_form(std::shared_ptr<FormulaBook> book, const Index1Plan& plan) {
  return std::make_shared<const Index1Equations>(std::move(book), plan);
}

}  // namespace driftless
