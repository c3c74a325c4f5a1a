#include <fmt/format.h>

#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/equations/index_check.h"

namespace driftless {

namespace {

Names slice(const Names& names, std::size_t begin, std::size_t count) {
  const auto first = names.begin() + static_cast<std::ptrdiff_t>(begin);
  return Names(first, first + static_cast<std::ptrdiff_t>(count));
}

// The worst entry over some blocks of columns, one per argument: a stiffness must not hide an error in a damping.
DerivativeDifference worst_entry(std::string function, const Matrix& given, const Matrix& automatic, const Names& rows,
                                 const Names& columns, const std::vector<std::size_t>& block_sizes) {
  DerivativeDifference worst;
  worst.function = std::move(function);
  std::size_t begin = 0;
  for (std::size_t size : block_sizes) {
    double largest = 0.0;
    for (std::size_t j = begin; j < begin + size; ++j)
      for (std::size_t i = 0; i < rows.size(); ++i)
        largest = std::fmax(largest, std::fmax(std::abs(given(i, j)), std::abs(automatic(i, j))));
    for (std::size_t j = begin; j < begin + size; ++j)
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double difference = std::abs(given(i, j) - automatic(i, j));
        double relative = difference > 0.0 ? difference / largest : 0.0;
        if (!std::isfinite(difference)) relative = INFINITY;  // NaN is no agreement
        if (relative > worst.relative || worst.entry.empty())
          worst = {worst.function, fmt::format("{} by {}", rows[i], columns[j]), given(i, j), automatic(i, j),
                   relative};
      }
    begin += size;
  }
  return worst;
}

struct Compare {
  double t;
  ConstSpan state;

  using Differences = std::vector<DerivativeDifference>;

  Differences operator()(const Index1& form) const {
    const std::size_t n = form.size();
    return {
        compare("f_jacobian", form.equation_names(), form.layout().names(), {n, 1}, [&](bool automatic, MatrixView j) {
          (automatic ? form.automatic() : form.functions()).f_jacobian(state, t, j);
        })};
  }

  Differences operator()(const Index2& form) const {
    const std::size_t n = form.u_size(), m = form.lambda_size();
    const ConstSpan u = state.subspan(0, n), lambda = state.subspan(n, m);
    const Names& names = form.layout().names();
    const Names u_names = slice(names, 0, n);
    return {compare("f_jacobian", u_names, names, {n, m, 1},
                    [&](bool automatic, MatrixView j) {
                      (automatic ? form.automatic() : form.functions()).f_jacobian(u, lambda, t, j);
                    }),
            compare("g_jacobian", form.constraint_names(), u_names, {n, 1}, [&](bool automatic, MatrixView j) {
              (automatic ? form.automatic() : form.functions()).g_jacobian(u, t, j);
            })};
  }

  Differences operator()(const Index3& form) const {
    const std::size_t n = form.u_size(), p = form.v_size(), m = form.lambda_size();
    const ConstSpan u = state.subspan(0, n), v = state.subspan(n, p), lambda = state.subspan(n + p, m);
    const Names& names = form.layout().names();
    const Names u_names = slice(names, 0, n), v_names = slice(names, n, p);
    return {compare("f_jacobian", u_names, slice(names, 0, n + p), {n, p, 1},
                    [&](bool automatic, MatrixView j) {
                      (automatic ? form.automatic() : form.functions()).f_jacobian(u, v, t, j);
                    }),
            compare("k_jacobian", v_names, names, {n, p, m, 1},
                    [&](bool automatic, MatrixView j) {
                      (automatic ? form.automatic() : form.functions()).k_jacobian(u, v, lambda, t, j);
                    }),
            compare("g_jacobian", form.constraint_names(), u_names, {n, 1}, [&](bool automatic, MatrixView j) {
              (automatic ? form.automatic() : form.functions()).g_jacobian(u, t, j);
            })};
  }

  Differences operator()(const Mechanical& form) const {
    const std::size_t n = form.q_size(), r = form.s_size();
    const ConstSpan q = state.subspan(0, n), v = state.subspan(n, n), s = state.subspan(2 * n, r);
    const Names& names = form.layout().names();
    const Names q_names = slice(names, 0, n);
    return {compare("force_jacobian", q_names, slice(names, 0, 2 * n + r), {n, n, r, 1},
                    [&](bool automatic, MatrixView j) {
                      (automatic ? form.automatic() : form.functions()).force_jacobian(q, v, s, t, j);
                    }),
            compare("constraint_jacobian", form.constraint_names(), q_names, {n, 1}, [&](bool automatic, MatrixView j) {
              (automatic ? form.automatic() : form.functions()).constraint_jacobian(q, t, j);
            })};
  }

  // Nothing is given by hand.
  Differences operator()(const WideMechanical&) const { return {}; }

 private:
  // `fill(automatic, j)` evaluates one Jacobian or the other; the last of its columns is time.
  template <class Fill>
  static DerivativeDifference compare(const char* function, const Names& rows, Names columns,
                                      const std::vector<std::size_t>& block_sizes, Fill&& fill) {
    columns.push_back("t");
    Matrix given(rows.size(), columns.size()), automatic(rows.size(), columns.size());
    fill(false, given);
    fill(true, automatic);
    return worst_entry(function, given, automatic, rows, columns, block_sizes);
  }
};

}  // namespace

std::vector<DerivativeDifference> compare_derivatives(const Equations& equations, double t, ConstSpan state) {
  const Layout& layout = layout_of(equations);
  if (state.size() != layout.size())
    throw Misuse(fmt::format("derivative check: the state has {} components, the equations have {}", state.size(),
                             layout.size()));
  return std::visit(Compare{t, state}, equations);
}

}  // namespace driftless
