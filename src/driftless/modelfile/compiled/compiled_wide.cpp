#include <algorithm>

#include "driftless/modelfile/compiled/compiled_forms.h"

namespace driftless {

namespace {

// Inputs: q, v, s, (lambda, nu), time, held; velocities' rates a, or another vector as long.
class WideFormulas {
 public:
  WideFormulas(std::shared_ptr<FormulaBook> book, const WidePlan& plan)
      : n(static_cast<std::uint32_t>(plan.q.size())),
        p(static_cast<std::uint32_t>(plan.v.size())),
        r(static_cast<std::uint32_t>(plan.s.size())),
        m(static_cast<std::uint32_t>(plan.lambda.size())),
        acceleration(book->add_inputs(p)),
        book_(book),
        rates_(book->take(plan.rates)),
        force_(book->take(plan.force)),
        states_(book->take(plan.states)),
        g_(take_constraints(*book, plan.g)),
        h_(take_constraints(*book, plan.h)) {
    for (const SparseExpression& e : plan.mass) mass_.push_back({0, e.row, e.column, book->take(e.value)});
  }

  const std::uint32_t n, p, r, m, acceleration;
  const FormulaBook& book() const { return *book_; }

 private:
  std::shared_ptr<const FormulaBook> book_;
  MatrixEntries mass_;
  std::vector<Expr> rates_, force_, states_, g_, h_;

  // q' by the formulas, t' = 1, and v' = a if it is wanted.
  SymbolicDirection motion(Graph& graph, bool accelerated) const {
    SymbolicDirection along{{book_->time(), graph.constant(1.0)}};
    for (std::uint32_t i = 0; i < n; ++i) along[i] = rates_[i];
    for (std::uint32_t i = 0; i < p && accelerated; ++i) along[n + i] = graph.input(acceleration + i);
    return along;
  }
  std::vector<Expr> velocity_rows(Graph& graph) const {
    std::vector<Expr> rows = derivative_along(graph, g_, motion(graph, false));
    rows.insert(rows.end(), h_.begin(), h_.end());
    return rows;
  }
  std::vector<Expr> acceleration_rows(Graph& graph) const {
    return derivative_along(graph, velocity_rows(graph), motion(graph, true));
  }
  MatrixEntries jacobian_of(Graph& graph, std::span<const Expr> values, std::size_t columns) const {
    MatrixEntries entries;
    add_jacobian(graph, values, columns, book_->time(), 0, entries);
    return entries;
  }
  // C as matrix number `matrix`.
  void add_directions(Graph& graph, std::uint32_t matrix, MatrixEntries& entries) const {
    for (const MatrixEntry& e : jacobian_of(graph, velocity_rows(graph), n + p))
      if (e.column >= n && e.column < n + p) entries.push_back({matrix, e.row, e.column - n, e.value});
  }
  MatrixEntries directions_entries(Graph& graph) const {
    MatrixEntries entries;
    add_directions(graph, 0, entries);
    return entries;
  }
  std::vector<Expr> momentum(Graph& graph) const {
    std::vector<Expr> product(p);
    for (const MatrixEntry& e : mass_)
      product[e.row] = graph.add(product[e.row], graph.multiply(e.value, graph.input(acceleration + e.column)));
    return product;
  }
  std::vector<Expr> reaction(Graph& graph) const {
    std::vector<Expr> forces(p);
    for (const MatrixEntry& e : directions_entries(graph))
      forces[e.column] = graph.add(forces[e.column], graph.multiply(graph.input(n + p + r + e.row), e.value));
    return forces;
  }
  // The curvature: accelerations are zero.
  std::vector<Expr> curvature(Graph& graph) const {
    return derivative_along(graph, velocity_rows(graph), motion(graph, false));
  }
  MatrixEntries dynamics_entries(Graph& graph) const {
    MatrixEntries entries = mass_;
    for (std::uint32_t i = 0; i < p; ++i) entries.push_back({1, i, 0, force_[i]});
    add_directions(graph, 2, entries);
    return entries;
  }

 public:
  const LazyMatrices mass{book_, [this](Graph&) { return mass_; }};
  const LazyVector rates{book_, [this](Graph&) { return rates_; }};
  const LazyVector force{book_, [this](Graph&) { return force_; }};
  const LazyVector states{book_, [this](Graph&) { return states_; }};
  const LazyVector constraint{book_, [this](Graph&) { return g_; }};
  const LazyVector velocities{book_, [this](Graph& g) { return velocity_rows(g); }};
  const LazyVector accelerations{book_, [this](Graph& g) { return acceleration_rows(g); }};
  const LazyMatrices directions{book_, [this](Graph& g) { return directions_entries(g); }};
  const LazyMatrices matrices{book_, [this](Graph& g) { return dynamics_entries(g); }};
  const LazyVector curvature_and_rates{book_, [this](Graph& g) {
                                         std::vector<Expr> both = curvature(g);
                                         both.insert(both.end(), rates_.begin(), rates_.end());
                                         return both;
                                       }};
  const LazyMatrices rates_jacobian{book_, [this](Graph& g) { return jacobian_of(g, rates_, n + p); }};
  const LazyMatrices force_jacobian{book_, [this](Graph& g) { return jacobian_of(g, force_, n + p + r); }};
  const LazyMatrices states_jacobian{book_, [this](Graph& g) { return jacobian_of(g, states_, n + p + r); }};
  const LazyMatrices constraint_jacobian{book_, [this](Graph& g) { return jacobian_of(g, g_, n); }};
  const LazyMatrices velocity_jacobian{book_, [this](Graph& g) { return jacobian_of(g, velocity_rows(g), n + p); }};
  const LazyMatrices acceleration_jacobian{book_,
                                           [this](Graph& g) { return jacobian_of(g, acceleration_rows(g), n + p); }};
  const LazyMatrices momentum_jacobian{book_, [this](Graph& g) { return jacobian_of(g, momentum(g), n); }};
  const LazyMatrices reaction_jacobian{book_, [this](Graph& g) { return jacobian_of(g, reaction(g), n); }};
};

class CompiledWide final : public WideMechanical::Functions {
 public:
  CompiledWide(std::shared_ptr<const WideFormulas> formulas, HeldValues held)
      : f_(std::move(formulas)), held_(std::move(held)) {}

  bool has_mass() const override { return true; }
  void mass(ConstSpan q, double t, MatrixView out) const override {
    Arguments a = at(q, t);
    f_->mass(a, {out});
  }
  void rates(ConstSpan q, ConstSpan v, double t, Span out) const override { f_->rates(at(q, v, {}, t), out); }
  void force(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    f_->force(at(q, v, s, t), out);
  }
  void states(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    f_->states(at(q, v, s, t), out);
  }
  void constraint(ConstSpan q, double t, Span out) const override { f_->constraint(at(q, t), out); }
  void velocity_rows(ConstSpan q, ConstSpan v, double t, Span out) const override {
    f_->velocities(at(q, v, {}, t), out);
  }
  void acceleration_rows(ConstSpan q, ConstSpan v, ConstSpan a, double t, Span out) const override {
    Arguments arguments = at(q, v, {}, t);
    arguments.put({f_->acceleration, a});
    f_->accelerations(arguments, out);
  }
  void directions(ConstSpan q, double t, MatrixView c) const override {
    Arguments a = at(q, t);
    f_->directions(a, {c});
  }
  // None are found from text.
  void position_invariants(ConstSpan, double, Span) const override {}
  void velocity_invariants(ConstSpan, ConstSpan, double, Span) const override {}
  void position_invariants_jacobian(ConstSpan, double, MatrixView) const override {}
  void velocity_invariants_jacobian(ConstSpan, ConstSpan, double, MatrixView) const override {}

  void rates_jacobian(ConstSpan q, ConstSpan v, double t, MatrixView j) const override {
    Arguments a = at(q, v, {}, t);
    f_->rates_jacobian(a, {j});
  }
  void force_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    Arguments a = at(q, v, s, t);
    f_->force_jacobian(a, {j});
  }
  void states_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    Arguments a = at(q, v, s, t);
    f_->states_jacobian(a, {j});
  }
  void constraint_jacobian(ConstSpan q, double t, MatrixView j) const override {
    Arguments a = at(q, t);
    f_->constraint_jacobian(a, {j});
  }
  void velocity_jacobian(ConstSpan q, ConstSpan v, double t, MatrixView j) const override {
    Arguments a = at(q, v, {}, t);
    f_->velocity_jacobian(a, {j});
  }
  void acceleration_jacobian(ConstSpan q, ConstSpan v, ConstSpan acceleration, double t, MatrixView j) const override {
    Arguments a = at(q, v, {}, t);
    a.put({f_->acceleration, acceleration});
    f_->acceleration_jacobian(a, {j});
  }
  void momentum_jacobian(ConstSpan q, double t, ConstSpan w, MatrixView j) const override {
    Arguments a = at(q, t);
    a.put({f_->acceleration, w});
    f_->momentum_jacobian(a, {j});
  }
  void reaction_jacobian(ConstSpan q, double t, ConstSpan multipliers, MatrixView j) const override {
    Arguments a = at(q, t);
    a.put({f_->n + f_->p + f_->r, multipliers});
    f_->reaction_jacobian(a, {j});
  }
  void dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView mass_out, Span force_out, MatrixView c,
                Span curvature, Span rate) const override {
    Arguments a = at(q, v, s, t);
    f_->matrices(a, {mass_out, as_column(force_out), c});
    f_->curvature_and_rates(a, {curvature, rate});
  }

 private:
  Arguments at(ConstSpan q, double t) const { return {f_->book(), held_, t, {{0, q}}}; }
  Arguments at(ConstSpan q, ConstSpan v, ConstSpan s, double t) const {
    return {f_->book(), held_, t, {{0, q}, {f_->n, v}, {f_->n + f_->p, s}}};
  }

  std::shared_ptr<const WideFormulas> f_;
  HeldValues held_;
};

class WideEquations final : public ModelEquations {
 public:
  WideEquations(std::shared_ptr<FormulaBook> book, const WidePlan& plan)
      : shape_{.q = plan.q.size(),
               .v = plan.v.size(),
               .s = plan.s.size(),
               .lambda = plan.g.size(),
               .nu = plan.h.size(),
               .q_names = names_of(plan.q),
               .v_names = names_of(plan.v),
               .s_names = names_of(plan.s),
               .constraint_names = names_of(plan.g),
               .velocity_constraint_names = names_of(plan.h)} {
    const Names multipliers = names_of(plan.lambda);
    const auto middle = multipliers.begin() + static_cast<std::ptrdiff_t>(plan.g.size());
    shape_.lambda_names.assign(multipliers.begin(), middle);
    shape_.nu_names.assign(middle, multipliers.end());
    formulas_ = std::make_shared<const WideFormulas>(std::move(book), plan);
  }

  Equations equations(HeldValues held) const override {
    return WideMechanical(shape_, std::make_shared<const CompiledWide>(formulas_, std::move(held)));
  }

 private:
  WideMechanical::Shape shape_;
  std::shared_ptr<const WideFormulas> formulas_;
};

}  // namespace

std::shared_ptr<const ModelEquations> make_form(std::shared_ptr<FormulaBook> book, const WidePlan& plan) {
  return std::make_shared<const WideEquations>(std::move(book), plan);
}

}  // namespace driftless
