#include "driftless/linalg/linear_system.h"
#include "driftless/modelfile/compiled/compiled_forms.h"
#include "driftless/modelfile/compiled/compiled_patterns.h"
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
                     MatrixEntries found;
                     add_jacobian(graph, f_, n, book_->time(), 0, found);
                     return found;
                   }),
        f_by_t(book, [this](Graph& graph) { return time_column(graph); }),
        entries(book, [this](Graph& graph) { return values_of(by_x(graph)); }),
        enclosure(book, n, [this](Graph&) { return all(); }) {}

  const FormulaBook& book() const { return *book_; }
  const std::size_t n;

  // Of f_x, once it is asked for; null where dense matrices are quicker, or rates come out of a linear system.
  const Pattern* pattern() const {
    std::call_once(once_, [this] {
      if (rates.is_explicit() && wants_pattern(n)) find_pattern();
    });
    return pattern_ ? &*pattern_ : nullptr;
  }

 private:
  std::shared_ptr<const FormulaBook> book_;

 public:
  const CompiledRates rates;  // of the first components, if their matrix is not constant

 private:
  std::vector<Expr> all() const {
    std::vector<Expr> result = rates.formulas();
    result.insert(result.end(), f_.begin(), f_.end());
    return result;
  }
  std::vector<Expr> time_column(Graph& graph) const {
    MatrixEntries with_time;
    add_jacobian(graph, all(), 0, book_->time(), 0, with_time);
    std::vector<Expr> column(n);
    for (const MatrixEntry& entry : with_time) column[entry.row] = entry.value;
    return column;
  }
  MatrixEntries by_x(Graph& graph) const { return derivatives(graph, all(), n, {}); }
  void find_pattern() const {
    const FormulaBook::Addition addition(*book_);
    pattern_ = pattern_of(by_x(book_->graph()), n, n);
  }

  std::vector<Expr> f_;
  mutable std::once_flag once_;
  mutable std::optional<Pattern> pattern_;

 public:
  const LazyVector f;
  const LazyMatrices f_jacobian;
  const LazyVector f_by_t;
  const LazyVector entries;       // of f_x on the pattern
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
  const Pattern* pattern() const override { return f_->pattern(); }
  void f_values(ConstSpan x, double t, Span values) const override {
    if (!pattern()) return Index1::Functions::f_values(x, t, values);
    const Arguments a{f_->book(), held_, t, {{0, x}}};
    f_->entries(a, values);
  }
  void f_by_t(ConstSpan x, double t, Span out) const override {
    if (!f_->rates.is_explicit()) return Index1::Functions::f_by_t(x, t, out);
    const Arguments a{f_->book(), held_, t, {{0, x}}};
    f_->f_by_t(a, out);
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
      const std::size_t n = x_names_.size();
      std::vector<ConstantMatrix::Entry> entries;
      for (const auto& [row, column, value] : projector_) entries.push_back({row, column, value});
      first_.emplace(Index1::Shape{{n, n, std::move(entries)}, x_names_, equation_names_}, functions);
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
