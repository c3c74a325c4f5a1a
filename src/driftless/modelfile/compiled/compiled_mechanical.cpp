#include <algorithm>

#include "driftless/linalg/linear_system.h"
#include "driftless/modelfile/compiled/compiled_forms.h"
#include "driftless/modelfile/compiled/compiled_patterns.h"

namespace driftless {

namespace {

// Inputs: q, v, s, lambda, time, held; a direction for q with one for time; and accelerations.
class MechanicalFormulas {
 public:
  MechanicalFormulas(std::shared_ptr<FormulaBook> book, const MechanicalPlan& plan)
      : n(plan.q.size()),
        r(plan.s.size()),
        m(plan.lambda.size()),
        unit_mass(plan.unit_mass),
        lambda(static_cast<std::uint32_t>(2 * n + r)),
        direction(book->add_inputs(n)),
        time_direction(book->add_inputs(1)),
        acceleration(book->add_inputs(n)),
        book_(book),
        mass_(take_mass(*book, plan)),
        force_(book->take(plan.force)),
        states_(book->take(plan.states)),
        g_(take_constraints(*book, plan.g)),
        gradient_(jacobian_of(book->graph(), g_, n)),
        structure(find_structure()) {}

  const std::size_t n, r, m;
  const bool unit_mass;
  const std::uint32_t lambda, direction, time_direction, acceleration;

 private:
  std::shared_ptr<const FormulaBook> book_;
  MatrixEntries mass_;
  std::vector<Expr> force_, states_, g_;
  MatrixEntries gradient_;  // of g by q and t

  static MatrixEntries take_mass(FormulaBook& book, const MechanicalPlan& plan) {
    MatrixEntries entries;
    for (const SparseExpression& e : plan.mass) entries.push_back({0, e.row, e.column, book.take(e.value)});
    return entries;
  }

  // Derivatives of g along q' = `dq`, q'' = `ddq` (if wanted), t' = dt.
  SymbolicDirection along(Graph& graph, std::uint32_t dq, Expr dt) const {
    SymbolicDirection result{{book_->time(), dt}};
    for (std::uint32_t i = 0; i < n; ++i) result[i] = graph.input(dq + i);
    return result;
  }
  std::vector<Expr> tangent(Graph& graph, const SymbolicDirection& along) const {
    return derivative_along(graph, g_, along);
  }

  MatrixEntries jacobian_of(Graph& graph, std::span<const Expr> values, std::size_t columns) const {
    MatrixEntries entries;
    add_jacobian(graph, values, columns, book_->time(), 0, entries);
    return entries;
  }

  // sum_j M_ij w_j, and sum_k lambda_k dg_k/dq_j.
  std::vector<Expr> mass_times_direction(Graph& graph) const {
    std::vector<Expr> product(n);
    for (const MatrixEntry& e : mass_)
      product[e.row] = graph.add(product[e.row], graph.multiply(e.value, graph.input(direction + e.column)));
    return product;
  }
  std::vector<Expr> reaction(Graph& graph) const {
    Expr work{};
    for (std::uint32_t k = 0; k < m; ++k) work = graph.add(work, graph.multiply(graph.input(lambda + k), g_[k]));
    std::vector<Expr> result(n);
    for (const Partial& partial : gradient(graph, work))
      if (partial.slot < n) result[partial.slot] = partial.derivative;
    return result;
  }

  // The second derivative of g along (v, 1).
  std::vector<Expr> motion_curvature(Graph& graph) const {
    const SymbolicDirection motion = along(graph, static_cast<std::uint32_t>(n), graph.constant(1.0));
    return derivative_along(graph, tangent(graph, motion), motion);
  }
  // G without its column for t as matrix number `matrix`, the curvature after it.
  void add_curving(Graph& graph, std::uint32_t matrix, MatrixEntries& entries) const {
    for (const MatrixEntry& e : gradient_)
      if (e.column < n) entries.push_back({matrix, e.row, e.column, e.value});
    const std::vector<Expr> second = motion_curvature(graph);
    for (std::uint32_t k = 0; k < m; ++k) entries.push_back({matrix + 1, k, 0, second[k]});
  }
  MatrixEntries curving_entries(Graph& graph) const {
    MatrixEntries entries;
    add_curving(graph, 0, entries);
    return entries;
  }
  MatrixEntries dynamics_entries(Graph& graph) const {
    MatrixEntries entries = unit_mass ? MatrixEntries{} : mass_;
    for (std::uint32_t i = 0; i < n; ++i) entries.push_back({1, i, 0, force_[i]});
    add_curving(graph, 2, entries);
    return entries;
  }

  Mechanical::Functions::Structure find_structure() const {
    std::vector<std::vector<std::uint32_t>> mass_rows(unit_mass ? 0 : n), rows(n);
    for (std::uint32_t i = 0; i < mass_rows.size(); ++i) mass_rows[i].push_back(i);
    for (const MatrixEntry& e : mass_) {
      if (unit_mass || e.row == e.column) continue;
      mass_rows[e.column].push_back(e.row);
      mass_rows[e.row].push_back(e.column);
    }
    for (const MatrixEntry& e : gradient_)
      if (e.column < n && !book_->graph().vanishes(e.value)) rows[e.column].push_back(e.row);
    for (auto* columns : {&mass_rows, &rows})
      for (auto& column : *columns) {
        std::ranges::sort(column);
        column.erase(std::unique(column.begin(), column.end()), column.end());
      }
    return {pattern_from_columns(mass_rows.size(), mass_rows), pattern_from_columns(m, rows)};
  }
  static void add_values(const Pattern& pattern, const MatrixEntries& entries, std::vector<Expr>& out) {
    const std::size_t first = out.size();
    out.resize(first + pattern.count());
    for (const MatrixEntry& e : entries) {
      if (e.column >= pattern.cols) continue;
      const auto begin = pattern.row.begin() + pattern.begin[e.column],
                 end = pattern.row.begin() + pattern.begin[e.column + 1];
      const auto place = std::lower_bound(begin, end, e.row);
      if (place != end && *place == e.row) out[first + static_cast<std::size_t>(place - pattern.row.begin())] = e.value;
    }
  }
  // Values in the order of the patterns: M, F, G, curvature; and M, G, g_t.
  std::vector<Expr> sparse_dynamics_values(Graph& graph) const {
    std::vector<Expr> values;
    add_values(structure.mass, mass_, values);
    values.insert(values.end(), force_.begin(), force_.end());
    add_values(structure.jacobian, gradient_, values);
    const std::vector<Expr> second = motion_curvature(graph);
    values.insert(values.end(), second.begin(), second.end());
    return values;
  }
  std::vector<Expr> sparse_gradient_values() const {
    std::vector<Expr> values;
    add_values(structure.mass, mass_, values);
    add_values(structure.jacobian, gradient_, values);
    const std::size_t first = values.size();
    values.resize(first + m);
    for (const MatrixEntry& e : gradient_)
      if (e.column == n) values[first + e.row] = e.value;
    return values;
  }

  // Derivatives on patterns. Those of G^T lambda from the entries of G, so that no sum has as many terms as there are
  // constraints.
  MatrixEntries force_entries(Graph& graph) const { return derivatives_of(graph, force_, 2 * n + r); }
  MatrixEntries states_entries(Graph& graph) const { return derivatives_of(graph, states_, 2 * n + r); }
  MatrixEntries momentum_entries(Graph& graph) const {
    return unit_mass ? MatrixEntries{} : derivatives_of(graph, mass_times_direction(graph), n);
  }
  MatrixEntries reaction_entries(Graph& graph) const {
    std::vector<Expr> forces(n);
    for (const MatrixEntry& e : gradient_)
      if (e.column < n)
        forces[e.column] = graph.add(forces[e.column], graph.multiply(graph.input(lambda + e.row), e.value));
    return derivatives_of(graph, forces, n);
  }
  static MatrixEntries derivatives_of(Graph& graph, std::span<const Expr> values, std::size_t count) {
    return driftless::derivatives(graph, values, count, {});
  }
  void find_derivatives() const {
    const FormulaBook::Addition addition(*book_);
    Graph& graph = book_->graph();
    derivatives_ = Mechanical::Functions::Derivatives{.force = pattern_of(force_entries(graph), n, 2 * n + r),
                                                      .states = pattern_of(states_entries(graph), r, 2 * n + r),
                                                      .momentum = pattern_of(momentum_entries(graph), n, n),
                                                      .reaction = pattern_of(reaction_entries(graph), n, n)};
  }
  // g' and g'' as below, by q alone, both on the pattern of G.
  std::vector<Expr> turning_formulas(Graph& graph) const {
    const auto [first, second] = rates_of_constraint(graph);
    std::vector<Expr> values;
    add_values(structure.jacobian, derivatives_of(graph, first, n), values);
    add_values(structure.jacobian, derivatives_of(graph, second, n), values);
    return values;
  }
  std::pair<std::vector<Expr>, std::vector<Expr>> rates_of_constraint(Graph& graph) const {
    const SymbolicDirection motion = along(graph, static_cast<std::uint32_t>(n), graph.constant(1.0));
    std::vector<Expr> first = tangent(graph, motion), second = derivative_along(graph, first, motion);
    const std::vector<Expr> turn = tangent(graph, along(graph, acceleration, Expr{}));
    for (std::size_t k = 0; k < m; ++k) second[k] = graph.add(second[k], turn[k]);
    return {std::move(first), std::move(second)};
  }
  mutable std::once_flag once_;
  mutable std::optional<Mechanical::Functions::Derivatives> derivatives_;

  // g, g' = G v + g_t and g'' = G a + curvature, differentiated with respect to (q, t).
  MatrixEntries jacobians_entries(Graph& graph) const {
    MatrixEntries entries;
    const auto [first, second] = rates_of_constraint(graph);
    add_jacobian(graph, g_, n, book_->time(), 0, entries);
    add_jacobian(graph, first, n, book_->time(), 1, entries);
    add_jacobian(graph, second, n, book_->time(), 2, entries);
    return entries;
  }

 public:
  const FormulaBook& book() const { return *book_; }
  const Mechanical::Functions::Structure structure;
  // Once they are asked for; null where dense matrices are quicker.
  const Mechanical::Functions::Derivatives* derivatives() const {
    std::call_once(once_, [this] {
      if (wants_pattern(n + r + m)) find_derivatives();
    });
    return derivatives_ ? &*derivatives_ : nullptr;
  }

  const LazyMatrices mass{book_, [this](Graph&) { return mass_; }};
  const LazyVector force{book_, [this](Graph&) { return force_; }};
  const LazyVector states{book_, [this](Graph&) { return states_; }};
  const LazyVector constraint{book_, [this](Graph&) { return g_; }};
  const LazyMatrices force_jacobian{book_, [this](Graph& g) { return jacobian_of(g, force_, 2 * n + r); }};
  const LazyMatrices states_jacobian{book_, [this](Graph& g) { return jacobian_of(g, states_, 2 * n + r); }};
  const LazyMatrices constraint_jacobian{book_, [this](Graph&) { return gradient_; }};
  const LazyVector rate{book_, [this](Graph& g) { return tangent(g, along(g, direction, g.input(time_direction))); }};
  const LazyMatrices dynamics{book_, [this](Graph& g) { return dynamics_entries(g); }};
  const LazyVector sparse_dynamics{book_, [this](Graph& g) { return sparse_dynamics_values(g); }};
  const LazyVector sparse_gradients{book_, [this](Graph&) { return sparse_gradient_values(); }};
  const LazyVector force_on_pattern{book_, [this](Graph& g) { return values_of(force_entries(g)); }};
  const LazyVector states_on_pattern{book_, [this](Graph& g) { return values_of(states_entries(g)); }};
  const LazyVector momentum_on_pattern{book_, [this](Graph& g) { return values_of(momentum_entries(g)); }};
  const LazyVector reaction_on_pattern{book_, [this](Graph& g) { return values_of(reaction_entries(g)); }};
  const LazyVector turning_on_pattern{book_, [this](Graph& g) { return turning_formulas(g); }};
  const LazyMatrices mass_jacobian{book_, [this](Graph& g) { return jacobian_of(g, mass_times_direction(g), n); }};
  const LazyMatrices reaction_jacobian{book_, [this](Graph& g) { return jacobian_of(g, reaction(g), n); }};
  const LazyMatrices tangent_jacobian{book_, [this](Graph& g) {
                                        const SymbolicDirection d = along(g, direction, g.input(time_direction));
                                        return jacobian_of(g, tangent(g, d), n);
                                      }};
  const LazyVector curvature{book_, [this](Graph& g) {
                               const SymbolicDirection d = along(g, direction, g.input(time_direction));
                               return derivative_along(g, tangent(g, d), d);
                             }};
  const LazyMatrices curvature_jacobian{book_, [this](Graph& g) {
                                          const SymbolicDirection d = along(g, direction, g.input(time_direction));
                                          return jacobian_of(g, derivative_along(g, tangent(g, d), d), n);
                                        }};
  const LazyMatrices curving{book_, [this](Graph& g) { return curving_entries(g); }};
  const LazyMatrices jacobians{book_, [this](Graph& g) { return jacobians_entries(g); }};
};

class CompiledMechanical final : public Mechanical::Functions {
 public:
  CompiledMechanical(std::shared_ptr<const MechanicalFormulas> formulas, HeldValues held)
      : f_(std::move(formulas)), held_(std::move(held)) {}

  bool has_mass() const override { return !f_->unit_mass; }
  void mass(ConstSpan q, double t, MatrixView out) const override {
    Arguments a = at(q, t);
    f_->mass(a, {out});
  }
  void force(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    f_->force(at(q, v, s, t), out);
  }
  void states(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    f_->states(at(q, v, s, t), out);
  }
  void constraint(ConstSpan q, double t, Span out) const override { f_->constraint(at(q, t), out); }

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
  void mass_jacobian(ConstSpan q, double t, ConstSpan w, MatrixView j) const override {
    Arguments a = at(q, t);
    a.put({f_->direction, w});
    f_->mass_jacobian(a, {j});
  }
  void reaction_jacobian(ConstSpan q, double t, ConstSpan lambda, MatrixView j) const override {
    Arguments a = at(q, t);
    a.put({f_->lambda, lambda});
    f_->reaction_jacobian(a, {j});
  }
  void constraint_tangent_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const override {
    Arguments a = along(q, t, dq, dt);
    f_->tangent_jacobian(a, {j});
  }
  void constraint_curvature(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const override {
    f_->curvature(along(q, t, dq, dt), out);
  }
  void constraint_curvature_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const override {
    Arguments a = along(q, t, dq, dt);
    f_->curvature_jacobian(a, {j});
  }
  void constraint_rate(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const override {
    f_->rate(along(q, t, dq, dt), out);
  }
  void dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView mass_out, Span force_out, MatrixView g,
                Span curvature) const override {
    Arguments a = at(q, v, s, t);
    f_->dynamics(a, {has_mass() ? mass_out : MatrixView{}, as_column(force_out), g, as_column(curvature)});
  }
  const Structure* structure() const override { return &f_->structure; }
  void sparse_dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span mass_out, Span force_out, Span jacobian,
                       Span curvature) const override {
    f_->sparse_dynamics(at(q, v, s, t), {mass_out, force_out, jacobian, curvature});
  }
  void sparse_gradients(ConstSpan q, double t, Span mass_out, Span jacobian, Span time_derivative) const override {
    f_->sparse_gradients(at(q, t), {mass_out, jacobian, time_derivative});
  }
  const Derivatives* derivatives() const override { return f_->derivatives(); }
  void force_values(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    f_->force_on_pattern(at(q, v, s, t), out);
  }
  void states_values(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    f_->states_on_pattern(at(q, v, s, t), out);
  }
  void momentum_values(ConstSpan q, double t, ConstSpan w, Span out) const override {
    Arguments a = at(q, t);
    a.put({f_->direction, w});
    f_->momentum_on_pattern(a, out);
  }
  void reaction_values(ConstSpan q, double t, ConstSpan lambda, Span out) const override {
    Arguments a = at(q, t);
    a.put({f_->lambda, lambda});
    f_->reaction_on_pattern(a, out);
  }
  void turning_values(ConstSpan q, double t, ConstSpan v, ConstSpan acceleration, Span first,
                      Span second) const override {
    Arguments a = at(q, v, {}, t);
    a.put({f_->acceleration, acceleration});
    f_->turning_on_pattern(a, {first, second});
  }
  void constraint_curving(ConstSpan q, double t, ConstSpan v, MatrixView g, Span curvature) const override {
    Arguments a = at(q, v, {}, t);
    f_->curving(a, {g, as_column(curvature)});
  }
  void constraint_jacobians(ConstSpan q, double t, ConstSpan v, ConstSpan acceleration, MatrixView value,
                            MatrixView first, MatrixView second) const override {
    Arguments a = at(q, v, {}, t);
    a.put({f_->acceleration, acceleration});
    f_->jacobians(a, {value, first, second});
  }

 private:
  Arguments at(ConstSpan q, double t) const { return {f_->book(), held_, t, {{0, q}}}; }
  Arguments at(ConstSpan q, ConstSpan v, ConstSpan s, double t) const {
    return {f_->book(), held_, t, {{0, q}, {f_->n, v}, {2 * f_->n, s}}};
  }
  Arguments along(ConstSpan q, double t, ConstSpan dq, double dt) const {
    return {f_->book(), held_, t, {{0, q}, {f_->direction, dq}, {f_->time_direction, {&dt, 1}}}};
  }

  std::shared_ptr<const MechanicalFormulas> f_;
  HeldValues held_;
};

class MechanicalEquations final : public ModelEquations {
 public:
  MechanicalEquations(std::shared_ptr<FormulaBook> book, const MechanicalPlan& plan)
      : shape_{.q = plan.q.size(),
               .s = plan.s.size(),
               .lambda = plan.lambda.size(),
               .q_names = names_of(plan.q),
               .v_names = names_of(plan.v),
               .s_names = names_of(plan.s),
               .lambda_names = names_of(plan.lambda),
               .constraint_names = names_of(plan.g)},
        formulas_(std::make_shared<const MechanicalFormulas>(std::move(book), plan)) {}

  Equations equations(HeldValues held) const override {
    auto functions = std::make_shared<const CompiledMechanical>(formulas_, std::move(held));
    std::call_once(once_, [&] { first_.emplace(shape_, functions); });
    return first_->with_functions(std::move(functions));
  }

 private:
  Mechanical::Shape shape_;
  std::shared_ptr<const MechanicalFormulas> formulas_;
  mutable std::once_flag once_;
  mutable std::optional<Mechanical> first_;  // its structure is analysed once
};

}  // namespace

std::shared_ptr<const ModelEquations> make_form(std::shared_ptr<FormulaBook> book, const MechanicalPlan& plan) {
  return std::make_shared<const MechanicalEquations>(std::move(book), plan);
}

}  // namespace driftless
