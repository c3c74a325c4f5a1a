#include "driftless/equations/projector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "driftless/core/failure.h"
#include "driftless/core/memory.h"
#include "driftless/core/stop.h"
#include "driftless/linalg/decisive.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

using Entry = ConstantMatrix::Entry;

// Things that are tied together, directly or by way of others.
class Ties {
 public:
  explicit Ties(std::size_t n) : leader_(n) { std::iota(leader_.begin(), leader_.end(), 0U); }
  void tie(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t x = leader(a), y = leader(b);
    leader_[std::max(x, y)] = std::min(x, y);
  }
  // Groups by their first members, members ascending.
  std::vector<std::vector<std::uint32_t>> groups() {
    std::vector<std::uint32_t> number(leader_.size());
    std::vector<std::vector<std::uint32_t>> result;
    for (std::uint32_t k = 0; k < leader_.size(); ++k) {
      const std::uint32_t first = leader(k);
      if (first == k) {
        number[k] = static_cast<std::uint32_t>(result.size());
        result.emplace_back();
      }
      result[number[first]].push_back(k);
    }
    return result;
  }

 private:
  std::uint32_t leader(std::uint32_t k) {
    while (leader_[k] != k) k = leader_[k] = leader_[leader_[k]];
    return k;
  }
  std::vector<std::uint32_t> leader_;
};

// The part of a matrix with these rows and columns, which have no entries elsewhere.
class BlockReader {
 public:
  explicit BlockReader(const ConstantMatrix& a) : a_(a), begin_(a.cols() + 1, 0), row_number_(a.rows()) {
    for (const Entry& e : a.entries()) ++begin_[e.column + 1];
    for (std::size_t j = 0; j < a.cols(); ++j) begin_[j + 1] += begin_[j];
  }
  Matrix read(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns) {
    require_memory(8.0 * static_cast<double>(rows.size()) * static_cast<double>(columns.size()),
                   "derivatives that are tied to each other");
    Matrix block(rows.size(), columns.size());
    for (std::uint32_t i = 0; i < rows.size(); ++i) row_number_[rows[i]] = i;
    for (std::size_t j = 0; j < columns.size(); ++j)
      for (std::size_t k = begin_[columns[j]]; k < begin_[columns[j] + 1]; ++k)
        block(row_number_[a_.entries()[k].row], j) = a_.entries()[k].value;
    return block;
  }

 private:
  const ConstantMatrix& a_;
  std::vector<std::uint32_t> begin_, row_number_;
};

struct Misfit {
  double worst = 0.0, size = 1.0;  // of P P - P, and of P
  void see(const Matrix& p) {
    const std::size_t n = p.rows();
    Vector sums(n);  // a column of P P - P
    for (std::size_t j = 0; j < n; ++j) {
      check_stop();
      for (std::size_t i = 0; i < n; ++i) sums[i] = -p(i, j);
      for (std::size_t k = 0; k < n; ++k)
        if (p(k, j) != 0.0)
          for (std::size_t i = 0; i < n; ++i) sums[i] += p(i, k) * p(k, j);
      for (std::size_t i = 0; i < n; ++i) {
        worst = std::fmax(worst, std::isfinite(sums[i]) ? std::abs(sums[i]) : INFINITY);
        size = std::fmax(size, std::abs(p(i, j)));
      }
    }
  }
};

// A row of Q that vanishes but for rounding belongs to a state, which no correction along Im Q may touch.
void keep_states_out(const Matrix& q, Matrix& image) {
  constexpr double rounding = 1e-12;
  for (std::size_t i = 0; i < q.rows(); ++i) {
    double largest = 0.0;
    for (std::size_t j = 0; j < q.cols(); ++j) largest = std::max(largest, std::abs(q(i, j)));
    for (std::size_t k = 0; largest <= rounding && k < image.cols(); ++k) image(i, k) = 0.0;
  }
}

// Collects the bases of Im Q and Im Q^T, block after block.
class Bases {
 public:
  void add_unit(std::uint32_t i) {
    image_.push_back({i, count_, 1.0});
    rows_.push_back({i, count_++, 1.0});
  }
  void add(std::span<const std::uint32_t> members, const Matrix& p) {
    Matrix q = Matrix::identity(p.rows());
    for (std::size_t j = 0; j < p.rows(); ++j)
      for (std::size_t i = 0; i < p.rows(); ++i) q(i, j) -= p(i, j);
    SingularValues svd = singular_values(q);
    keep_states_out(q, svd.u);
    // The nonzero singular values of a projector are at least 1.
    for (std::size_t k = 0; k < q.rows() && svd.s[k] > 0.5; ++k, ++count_)
      for (std::size_t i = 0; i < q.rows(); ++i) {
        image_.push_back({members[i], count_, svd.u(i, k)});
        rows_.push_back({members[i], count_, svd.v(i, k)});
      }
  }
  ConstantMatrix image(std::size_t n) { return {n, count_, std::move(image_)}; }
  ConstantMatrix rows(std::size_t n) { return {n, count_, std::move(rows_)}; }

 private:
  std::vector<Entry> image_, rows_;
  std::uint32_t count_ = 0;
};

}  // namespace

ProjectorParts analyse_projector(ConstantMatrix p) {
  if (p.rows() != p.cols() || p.rows() == 0)
    throw Misuse(fmt::format("index 1: the projector must be square, but is {} x {}", p.rows(), p.cols()));
  const std::size_t n = p.rows();
  Ties ties(n);
  for (const Entry& e : p.entries()) ties.tie(e.row, e.column);
  BlockReader blocks(p);
  Misfit misfit;
  Bases bases;
  for (const auto& members : ties.groups()) {
    const Matrix block = blocks.read(members, members);
    if (!(members.size() == 1 && (block(0, 0) == 0.0 || block(0, 0) == 1.0))) misfit.see(block);
    if (!(misfit.worst <= 1e-10 * misfit.size))
      throw Misuse(
          fmt::format("index 1: P is not a projector, |P P - P| = {:.3g}; for A x' = g(x) with any singular A use "
                      "implicit_index1()",
                      misfit.worst));
    if (members.size() > 1)
      bases.add(members, block);
    else if (block(0, 0) < 0.5)
      bases.add_unit(members[0]);
  }
  return {.p = std::move(p), .q_image = bases.image(n), .q_rows = bases.rows(n)};
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

namespace {

// Adds up the blocks of T and P. What is in the kernels of A and A^T is paired at the end: T maps one to the other.
class FormBuilder {
 public:
  explicit FormBuilder(std::size_t n) : n_(n) {}

  void add(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns, const Matrix& a) {
    check_stop();
    if (columns.empty()) return left_.push_back({{rows[0], 1.0}});
    if (rows.empty()) return right_.push_back({{columns[0], 1.0}});
    if (rows.size() == columns.size())
      if (const auto regular = regular_form(a)) return add_regular(rows, columns, *regular, a);
    const SingularValues svd = singular_values(a);
    largest_ = std::max(largest_, svd.s[0]);
    std::size_t rank = 0;
    while (rank < svd.s.size() && svd.s[rank] > rank_tolerance * svd.s[0]) ++rank;
    for (std::size_t k = rank; k < rows.size(); ++k) left_.push_back(vector_of(rows, svd.u, k));
    for (std::size_t k = rank; k < columns.size(); ++k) right_.push_back(vector_of(columns, svd.v, k));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t j = 0; j < rows.size(); ++j) {
        double sum = 0.0;
        for (std::size_t k = 0; k < rank; ++k) sum += svd.v(i, k) * svd.u(j, k) / svd.s[k];
        transform_.push_back({columns[i], rows[j], sum});
      }
      for (std::size_t j = 0; j < columns.size(); ++j) {
        double sum = 0.0;
        for (std::size_t k = 0; k < rank; ++k) sum += svd.v(i, k) * svd.v(j, k);
        projector_.push_back({columns[i], columns[j], sum});
      }
    }
  }

  BlockProjectorForm finish() {
    const double scale = 1.0 / (largest_ > 0.0 ? largest_ : 1.0);
    for (std::size_t k = 0; k < left_.size(); ++k)
      for (const auto& [i, x] : right_[k])
        for (const auto& [j, y] : left_[k]) transform_.push_back({i, j, scale * x * y});
    return {.projector = {n_, n_, std::move(projector_)}, .transform = {n_, n_, summed(std::move(transform_))}};
  }

 private:
  using SparseVector = std::vector<std::pair<std::uint32_t, double>>;

  static SparseVector vector_of(std::span<const std::uint32_t> members, const Matrix& columns, std::size_t k) {
    SparseVector result;
    for (std::size_t i = 0; i < members.size(); ++i) result.emplace_back(members[i], columns(i, k));
    return result;
  }

  void add_regular(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns,
                   const ProjectorForm& form, const Matrix& a) {
    largest_ = std::max(largest_, singular_values(a).s[0]);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      projector_.push_back({columns[i], columns[i], 1.0});
      for (std::size_t j = 0; j < rows.size(); ++j) transform_.push_back({columns[i], rows[j], form.transform(i, j)});
    }
  }

  // Entries of the same place, of a block and of its kernels.
  static std::vector<Entry> summed(std::vector<Entry> entries) {
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
      return a.column != b.column ? a.column < b.column : a.row < b.row;
    });
    std::vector<Entry> result;
    for (const Entry& e : entries)
      if (!result.empty() && result.back().row == e.row && result.back().column == e.column)
        result.back().value += e.value;
      else
        result.push_back(e);
    return result;
  }

  std::size_t n_;
  double largest_ = 0.0;
  std::vector<Entry> projector_, transform_;
  std::vector<SparseVector> left_, right_;
};

}  // namespace

BlockProjectorForm block_projector_form(const ConstantMatrix& a) {
  if (a.rows() != a.cols() || a.rows() == 0)
    throw Misuse(fmt::format("A x' = g(x): A must be square, but is {} x {}", a.rows(), a.cols()));
  const auto n = static_cast<std::uint32_t>(a.rows());
  Ties ties(2 * n);  // rows, then columns
  for (const Entry& e : a.entries()) ties.tie(e.row, n + e.column);
  BlockReader blocks(a);
  FormBuilder form(n);
  for (const auto& members : ties.groups()) {
    const auto first_column = std::ranges::lower_bound(members, n);
    const std::vector<std::uint32_t> rows(members.begin(), first_column);
    std::vector<std::uint32_t> columns(first_column, members.end());
    for (std::uint32_t& j : columns) j -= n;
    form.add(rows, columns, blocks.read(rows, columns));
  }
  return form.finish();
}

}  // namespace driftless
