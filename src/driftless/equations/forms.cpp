// Construction of the forms: sizes and names checked once, here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "driftless/core/failure.h"
#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/equations/equations.h"
#include "driftless/linalg/decisive.h"
#include "driftless/linalg/rank.h"
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

Matrix columns(const Matrix& a, std::size_t first, std::size_t count) {
  Matrix result(a.rows(), count);
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) result(i, j) = a(i, first + j);
  return result;
}

void require_projector(const Matrix& p) {
  if (p.rows() != p.cols() || p.rows() == 0)
    throw Misuse(fmt::format("index 1: the projector must be square, but is {} x {}", p.rows(), p.cols()));
  double worst = 0.0, size = 1.0;
  Vector sums(p.rows());  // a column of P P - P
  for (std::size_t j = 0; j < p.rows(); ++j) {
    check_stop();
    for (std::size_t i = 0; i < p.rows(); ++i) sums[i] = -p(i, j);
    for (std::size_t k = 0; k < p.rows(); ++k)
      if (p(k, j) != 0.0)
        for (std::size_t i = 0; i < p.rows(); ++i) sums[i] += p(i, k) * p(k, j);
    for (std::size_t i = 0; i < p.rows(); ++i) {
      worst = std::fmax(worst, std::isfinite(sums[i]) ? std::abs(sums[i]) : INFINITY);
      size = std::fmax(size, std::abs(p(i, j)));
    }
  }
  if (!(worst <= 1e-10 * size))
    throw Misuse(
        fmt::format("index 1: P is not a projector, |P P - P| = {:.3g}; for A x' = g(x) with any singular A use "
                    "implicit_index1()",
                    worst));
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

namespace {

// A row of Q that vanishes but for rounding belongs to a state, which no correction along Im Q may touch.
void keep_states_out(const Matrix& q, Matrix& image) {
  constexpr double rounding = 1e-12;
  for (std::size_t i = 0; i < q.rows(); ++i) {
    double largest = 0.0;
    for (std::size_t j = 0; j < q.cols(); ++j) largest = std::max(largest, std::abs(q(i, j)));
    for (std::size_t k = 0; largest <= rounding && k < image.cols(); ++k) image(i, k) = 0.0;
  }
}

struct ProjectorRange {
  std::size_t rank;
  Matrix image, rows;
};

// A large one that is diagonal, as those of most models are, has unit vectors for a basis; others need an SVD.
ProjectorRange range_of_projector(const Matrix& q) {
  constexpr std::size_t large = 40;
  const std::size_t n = q.rows();
  std::vector<std::size_t> ones;
  bool diagonal = n > large;
  for (std::size_t j = 0; diagonal && j < n; ++j) {
    if (q(j, j) == 1.0) ones.push_back(j);
    for (std::size_t i = 0; diagonal && i < n; ++i) diagonal = q(i, j) == 0.0 || (i == j && q(i, j) == 1.0);
  }
  if (!diagonal) {
    const SingularValues svd = singular_values(q);
    std::size_t rank = 0;
    while (rank < n && svd.s[rank] > 0.5) ++rank;  // the nonzero singular values of a projector are at least 1
    return {rank, columns(svd.u, 0, rank), columns(svd.v, 0, rank)};
  }
  Matrix basis(n, ones.size());
  for (std::size_t k = 0; k < ones.size(); ++k) basis(ones[k], k) = 1.0;
  return {ones.size(), basis, basis};
}

}  // namespace

Index1::Index1(Shape shape, std::shared_ptr<const Functions> functions, std::shared_ptr<const Functions> automatic)
    : p_(std::move(shape.projector)),
      functions_(required(std::move(functions))),
      automatic_(automatic ? std::move(automatic) : functions_) {
  require_projector(p_);
  const std::size_t n = p_.rows();
  q_ = Matrix::identity(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) q_(i, j) -= p_(i, j);
  const auto [rank, u, v] = range_of_projector(q_);
  q_image_ = u;
  q_rows_ = v;
  keep_states_out(q_, q_image_);
  layout_.add("x", n, shape.x_names);
  equations_ = complete_names("equation", n, shape.equation_names);
  for (std::size_t k = 0; k < rank; ++k) {
    std::size_t heaviest = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (std::abs(q_rows_(i, k)) > std::abs(q_rows_(heaviest, k))) heaviest = i;
    constraints_.push_back(equations_[heaviest]);
  }
}

Mechanical Mechanical::with_functions(std::shared_ptr<const Functions> functions) const {
  Mechanical other = *this;
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

namespace {

// P = I and T = A^-1, if A is regular in whatever units equations and unknowns are.
std::optional<ProjectorForm> regular_form(const Matrix& a) {
  const std::size_t n = a.rows();
  DecisiveMatrix matrix(n);
  matrix.matrix() = a;
  if (!matrix.factorise()) return std::nullopt;
  ProjectorForm form{Matrix(n, n), Matrix(n, n)};
  for (std::size_t j = 0; j < n; ++j) {
    form.projector(j, j) = form.transform(j, j) = 1.0;
    matrix.solve(form.transform.view().column(j));
  }
  return form;
}

}  // namespace

ProjectorForm projector_form(const Matrix& a) {
  if (a.rows() != a.cols() || a.rows() == 0)
    throw Misuse(fmt::format("A x' = g(x): A must be square, but is {} x {}", a.rows(), a.cols()));
  const std::size_t n = a.rows();
  if (const auto regular = regular_form(a)) return *regular;
  const SingularValues svd = singular_values(a);
  std::size_t rank = 0;
  while (rank < n && svd.s[rank] > rank_tolerance * svd.s[0]) ++rank;
  ProjectorForm form{Matrix(n, n), Matrix(n, n)};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        form.transform(i, j) += svd.v(i, k) * svd.u(j, k) / (rank == 0 ? 1.0 : svd.s[k < rank ? k : 0]);
        if (k < rank) form.projector(i, j) += svd.v(i, k) * svd.v(j, k);
      }
  return form;
}

int index_of(const Equations& equations) {
  struct Visitor {
    int operator()(const Index1& form) const { return form.constraint_count() > 0 ? 1 : 0; }
    int operator()(const Index2& form) const { return form.lambda_size() > 0 ? 2 : 0; }
    int operator()(const Index3& form) const { return form.lambda_size() > 0 ? 3 : 0; }
    int operator()(const Mechanical& form) const { return form.lambda_size() > 0 ? 3 : 0; }
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
