// Construction of the forms: sizes and names checked once, here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "driftless/core/failure.h"
#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/equations/equations.h"
#include "driftless/linalg/sparse_kkt.h"

namespace driftless {

namespace {

template <class Functions>
std::shared_ptr<const Functions> required(std::shared_ptr<const Functions> functions) {
  if (!functions) throw Misuse("equations need functions, but none were given");
  return functions;
}

void require_unknowns(const char* what, std::size_t unknowns) {
  if (unknowns == 0) throw Misuse(fmt::format("{}: there are no unknowns", what));
}

// A size left at 0 is the number of names given.
std::size_t size_or(std::size_t size, const Names& names, const Names& more = {}) {
  return size > 0 ? size : std::max(names.size(), more.size());
}

}  // namespace

Index3::Shape Index3::Shape::resolved() const {
  Shape shape = *this;
  shape.u = size_or(u, u_names);
  shape.v = size_or(v, v_names);
  shape.lambda = size_or(lambda, lambda_names, constraint_names);
  return shape;
}

Index3::Index3(Shape given, std::shared_ptr<const Functions> functions, std::shared_ptr<const Functions> automatic)
    : functions_(required(std::move(functions))), automatic_(automatic ? std::move(automatic) : functions_) {
  const Shape shape = given.resolved();
  u_ = shape.u;
  v_ = shape.v;
  lambda_ = shape.lambda;
  require_unknowns("index 3", u_);
  layout_.add("u", u_, shape.u_names);
  layout_.add("v", v_, shape.v_names);
  layout_.add("lambda", lambda_, shape.lambda_names);
  constraints_ = complete_names("g", lambda_, shape.constraint_names);
}

Index2::Shape Index2::Shape::resolved() const {
  Shape shape = *this;
  shape.u = size_or(u, u_names);
  shape.lambda = size_or(lambda, lambda_names, constraint_names);
  return shape;
}

Index2::Index2(Shape given, std::shared_ptr<const Functions> functions, std::shared_ptr<const Functions> automatic)
    : functions_(required(std::move(functions))), automatic_(automatic ? std::move(automatic) : functions_) {
  const Shape shape = given.resolved();
  u_ = shape.u;
  lambda_ = shape.lambda;
  require_unknowns("index 2", u_);
  layout_.add("u", u_, shape.u_names);
  layout_.add("lambda", lambda_, shape.lambda_names);
  constraints_ = complete_names("g", lambda_, shape.constraint_names);
}

Mechanical::Shape Mechanical::Shape::resolved() const {
  Shape shape = *this;
  shape.q = size_or(q, q_names, v_names);
  shape.s = size_or(s, s_names);
  shape.lambda = size_or(lambda, lambda_names, constraint_names);
  return shape;
}

Mechanical::Mechanical(Shape given, std::shared_ptr<const Functions> functions,
                       std::shared_ptr<const Functions> automatic)
    : functions_(required(std::move(functions))), automatic_(automatic ? std::move(automatic) : functions_) {
  const Shape shape = given.resolved();
  q_ = shape.q;
  s_ = shape.s;
  lambda_ = shape.lambda;
  require_unknowns("mechanical", q_);
  layout_.add("q", q_, shape.q_names);
  Names v_names = shape.v_names;
  if (v_names.empty())
    for (const auto& name : shape.q_names) v_names.push_back(name + "'");
  layout_.add("v", q_, v_names);
  layout_.add("s", s_, shape.s_names);
  layout_.add("lambda", lambda_, shape.lambda_names);
  constraints_ = complete_names("g", lambda_, shape.constraint_names);
  if (const auto* structure = functions_->structure(); structure && lambda_ <= q_)
    kkt_plan_ = std::make_shared<const SparseKktPlan>(
        structure->mass, structure->jacobian,
        q_ > whole_up_to ? SparseKktPlan::Values::compressed : SparseKktPlan::Values::dense);
}

Index1::Index1(Shape shape, std::shared_ptr<const Functions> functions, std::shared_ptr<const Functions> automatic)
    : parts_(std::make_shared<const ProjectorParts>(analyse_projector(std::move(shape.projector)))),
      functions_(required(std::move(functions))),
      automatic_(automatic ? std::move(automatic) : functions_) {
  layout_.add("x", size(), shape.x_names);
  equations_ = std::make_shared<const Names>(complete_names("equation", size(), shape.equation_names));
  Names constraints;
  const auto& entries = parts_->q_rows.entries();
  for (auto first = entries.begin(); first != entries.end();) {
    const auto last = std::find_if(first, entries.end(), [&](const auto& e) { return e.column != first->column; });
    const auto heaviest = std::max_element(
        first, last, [](const auto& x, const auto& y) { return std::abs(x.value) < std::abs(y.value); });
    constraints.push_back((*equations_)[heaviest->row]);
    first = last;
  }
  constraints_ = std::make_shared<const Names>(std::move(constraints));
}

Pattern Index1::pattern() const {
  if (const Pattern* known = functions_->pattern()) return *known;
  require_dense(size(), 6.0, "equations of which nobody knows the derivatives that are zero");
  return full_pattern(size(), size());
}

Matrix Index1::complement() const {
  Matrix q = projector();
  for (std::size_t j = 0; j < size(); ++j)
    for (std::size_t i = 0; i < size(); ++i) q(i, j) = (i == j ? 1.0 : 0.0) - q(i, j);
  return q;
}

Mechanical Mechanical::with_functions(std::shared_ptr<const Functions> functions) const {
  Mechanical other = *this;
  other.automatic_ = other.functions_ = required(std::move(functions));
  return other;
}

Index2 Index2::with_functions(std::shared_ptr<const Functions> functions) const {
  Index2 other = *this;
  other.automatic_ = other.functions_ = required(std::move(functions));
  return other;
}

Index1 Index1::with_functions(std::shared_ptr<const Functions> functions) const {
  Index1 other = *this;
  other.automatic_ = other.functions_ = required(std::move(functions));
  return other;
}

void Index1::Functions::f_by_x(ConstSpan x, double t, MatrixView j) const {
  const std::size_t n = x.size();
  Scratch scratch;
  const MatrixView all{scratch.take<double>(n * (n + 1)).data(), n, n + 1, n};
  f_jacobian(x, t, all);
  for (std::size_t k = 0; k < n; ++k) std::ranges::copy(all.column(k), j.column(k).begin());
}

void Index1::Functions::f_values(ConstSpan x, double t, Span values) const {
  f_by_x(x, t, {values.data(), x.size(), x.size(), x.size()});
}

void Index1::Functions::f_by_t(ConstSpan x, double t, Span out) const {
  const std::size_t n = x.size();
  require_dense(n, 1.0, "the derivatives of all equations");
  Scratch scratch;
  const MatrixView all{scratch.take<double>(n * (n + 1)).data(), n, n + 1, n};
  f_jacobian(x, t, all);
  std::ranges::copy(all.column(n), out.begin());
}

void Index2::Functions::f_by_lambda(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const {
  const std::size_t n = u.size(), m = lambda.size();
  Scratch scratch;
  const MatrixView all{scratch.take<double>(n * (n + m + 1)).data(), n, n + m + 1, n};
  f_jacobian(u, lambda, t, all);
  for (std::size_t k = 0; k < m; ++k) std::ranges::copy(all.column(n + k), j.column(k).begin());
}

void Index1::Functions::enclose(std::span<const Interval>, const Interval&, std::span<Interval>,
                                BasicMatrixView<Interval>) const {
  throw Misuse("these equations cannot be enclosed on a box: make them with enclosed_index1() or its relatives");
}

int index_of(const Equations& equations) {
  struct Visitor {
    int operator()(const Index1& form) const { return form.constraint_count() > 0 ? 1 : 0; }
    int operator()(const Index2& form) const { return form.lambda_size() > 0 ? 2 : 0; }
    int operator()(const Index3& form) const { return form.lambda_size() > 0 ? 3 : 0; }
    int operator()(const Mechanical& form) const { return form.lambda_size() > 0 ? 3 : 0; }
    int operator()(const WideMechanical& form) const { return form.holonomic() > 0 ? 3 : form.rows() > 0 ? 2 : 0; }
  };
  return std::visit(Visitor{}, equations);
}

const Layout& layout_of(const Equations& equations) {
  return std::visit([](const auto& form) -> const Layout& { return form.layout(); }, equations);
}

const Names& constraint_names_of(const Equations& equations) {
  return std::visit([](const auto& form) -> const Names& { return form.constraint_names(); }, equations);
}

void set_sizes(Equations& equations, ConstSpan sizes) {
  std::visit([&](auto& form) { form.set_sizes(sizes); }, equations);
}

}  // namespace driftless
