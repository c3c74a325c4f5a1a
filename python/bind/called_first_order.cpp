// Index 1 and 2 from functions of Python.
#include <algorithm>

#include "called_forms.h"
#include "differences.h"

namespace driftless::python {

namespace {

void by_time(const Formula& f, ConstSpan x, Needed needed, Span out) {
  Vector direction(x.size(), 0.0);
  direction.back() = 1.0;
  slope_along(f, x, direction, needed, out);
}

class Index1Functions final : public Index1::Functions {
 public:
  explicit Index1Functions(const CalledIndex1& given) : given_(given), formula_(given_.f) {
    if (given_.pattern) colour_ = colour_columns(*given_.pattern);
  }

  void f(ConstSpan x, double t, Span out) const override { given_.f(joined({x}, t), out); }
  void f_jacobian(ConstSpan x, double t, MatrixView j) const override {
    const std::size_t n = x.size();
    f_by_x(x, t, j.block(0, 0, n, n));
    f_by_t(x, t, j.column(n));
  }
  void f_by_x(ConstSpan x, double t, MatrixView j) const override {
    if (!given_.pattern) {
      if (given_.jacobian) return given_.jacobian->matrix(joined({x}, t), j);
      return difference_jacobian(formula_, joined({x}, t), 0, Needed::for_newton, j);
    }
    Vector values(given_.pattern->count());
    f_values(x, t, values);
    j.fill(0.0);
    for (std::size_t k = 0; k < j.cols; ++k)
      for (std::uint32_t e = given_.pattern->begin[k]; e < given_.pattern->begin[k + 1]; ++e)
        j(given_.pattern->row[e], k) = values[e];
  }
  const Pattern* pattern() const override { return given_.pattern ? &*given_.pattern : nullptr; }
  void f_values(ConstSpan x, double t, Span values) const override {
    if (!given_.pattern)
      f_by_x(x, t, {values.data(), x.size(), x.size(), x.size()});
    else if (given_.jacobian)
      (*given_.jacobian)(joined({x}, t), values);
    else
      coloured_differences(formula_, joined({x}, t), *given_.pattern, colour_, values);
  }
  void f_by_t(ConstSpan x, double t, Span out) const override {
    by_time(formula_, joined({x}, t), Needed::for_newton, out);
  }

 private:
  CalledIndex1 given_;
  Formula formula_;
  std::vector<std::uint32_t> colour_;
};

class Index2Functions final : public Index2::Functions {
 public:
  explicit Index2Functions(const CalledIndex2& given)
      : given_(given), formula_([this](ConstSpan x, Span out) { flat_f(x, out); }), constraint_(given_.g) {}
  Index2Functions(const Index2Functions&) = delete;
  Index2Functions& operator=(const Index2Functions&) = delete;

  bool has_gamma() const override { return false; }
  void gamma(ConstSpan, double, MatrixView) const override {}
  void gamma_jacobian(ConstSpan, double, ConstSpan, MatrixView) const override {}
  void f(ConstSpan u, ConstSpan lambda, double t, Span out) const override { flat_f(joined({u, lambda}, t), out); }
  void g(ConstSpan u, double t, Span out) const override { given_.g(joined({u}, t), out); }
  void f_jacobian(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const override {
    difference_jacobian(formula_, joined({u, lambda}, t), 0, Needed::for_newton, j);
  }
  void f_by_lambda(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const override {
    if (!given_.restoring)
      return difference_jacobian(formula_, joined({u, lambda}, t), u.size(), Needed::for_newton, j);
    const std::size_t n = u.size(), m = lambda.size();
    Matrix gradient(m, n);
    by_u(joined({u}, t), gradient);
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t i = 0; i < n; ++i) j(i, k) = gradient(k, i);
  }
  void g_jacobian(ConstSpan u, double t, MatrixView j) const override {
    const std::size_t n = u.size();
    const Vector x = joined({u}, t);
    by_u(x, j.block(0, 0, j.rows, n));
    by_time(constraint_, x, Needed::for_equations, j.column(n));
  }

 private:
  void flat_f(ConstSpan x, Span out) const {
    if (!given_.restoring) return given_.f(x, out);
    const std::size_t n = given_.names.size(), m = given_.lambda_names.size();
    Vector at(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
    at.push_back(x.back());
    given_.f(at, out);
    Matrix gradient(m, n);
    by_u(at, gradient);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < m; ++k) out[i] += gradient(k, i) * x[n + k];
  }
  void by_u(ConstSpan x, MatrixView j) const {
    if (given_.g_jacobian)
      given_.g_jacobian->matrix(x, j);
    else
      difference_jacobian(constraint_, x, 0, Needed::for_equations, j);
  }

  CalledIndex2 given_;
  Formula formula_, constraint_;
};

}  // namespace

Equations equations_of(const CalledIndex1& given) {
  const std::size_t n = given.names.size();
  std::vector<ConstantMatrix::Entry> ones;
  for (std::uint32_t i = 0; i < n; ++i)
    if (given.differential[i]) ones.push_back({i, i, 1.0});
  Names rows;
  for (std::size_t i = 0; i < n; ++i)
    rows.push_back(given.differential[i] ? given.names[i] + "'" : "equation of " + given.names[i]);
  return Index1({.projector = ConstantMatrix(n, n, ones), .x_names = given.names, .equation_names = rows},
                std::make_shared<const Index1Functions>(given));
}

Equations equations_of(const CalledIndex2& given) {
  return Index2({.u = given.names.size(),
                 .lambda = given.lambda_names.size(),
                 .u_names = given.names,
                 .lambda_names = given.lambda_names},
                std::make_shared<const Index2Functions>(given));
}

}  // namespace driftless::python
