// Finds the function and the component that returned NaN or infinity, after a run has stumbled over it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "driftless/equations/manifold.h"

namespace driftless {

namespace {

// Checks one output after another and tells where the first NaN or infinity comes from.
class FiniteCheck {
 public:
  FiniteCheck(const Layout& layout, double t, ConstSpan state) : layout_(layout), t_(t), state_(state) {}

  bool found() const { return !text_.empty(); }
  const std::string& text() const { return text_; }

  void arguments() {
    for (std::size_t i = 0; i < state_.size() && !found(); ++i)
      if (!std::isfinite(state_[i])) text_ = fmt::format("the state itself: {} = {}", layout_.name(i), state_[i]);
  }
  void vector(const char* function, const Names& names, ConstSpan values) {
    for (std::size_t i = 0; i < values.size() && !found(); ++i)
      if (!std::isfinite(values[i]))
        text_ = fmt::format("{} returned {} in component {} ({}), called with {}", function, values[i], i,
                            i < names.size() ? names[i] : "?", called_with());
  }
  void matrix(const char* function, const Matrix& values) {
    for (std::size_t j = 0; j < values.cols(); ++j)
      for (std::size_t i = 0; i < values.rows() && !found(); ++i)
        if (!std::isfinite(values(i, j)))
          text_ = fmt::format("{} has the entry ({}, {}) = {}, called with {}", function, i, j, values(i, j),
                              called_with());
  }
  void entries(const char* function, const Pattern& pattern, ConstSpan values) {
    for (std::size_t j = 0, k = 0; j < pattern.cols; ++j)
      for (; k < pattern.begin[j + 1] && !found(); ++k)
        if (!std::isfinite(values[k]))
          text_ = fmt::format("{} has the entry ({}, {}) = {}, called with {}", function, pattern.row[k], j, values[k],
                              called_with());
  }

 private:
  std::string called_with() const {
    std::vector<std::string> parts{fmt::format("t = {:.9g}", t_)};
    for (std::size_t i = 0; i < std::min<std::size_t>(state_.size(), 12); ++i)
      parts.push_back(fmt::format("{} = {:.9g}", layout_.name(i), state_[i]));
    if (state_.size() > 12) parts.push_back("...");
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  const Layout& layout_;
  double t_;
  ConstSpan state_;
  std::string text_;
};

Names part_of(const Names& all, std::size_t begin, std::size_t count) {
  return Names(all.begin() + static_cast<std::ptrdiff_t>(begin),
               all.begin() + static_cast<std::ptrdiff_t>(begin + count));
}

void check(FiniteCheck& finite, const Index1& form, double t, ConstSpan state) {
  const Pattern pattern = form.pattern();
  Vector f(form.size()), j(pattern.count());
  form.functions().f(state, t, f);
  finite.vector("f", form.equation_names(), f);
  form.functions().f_values(state, t, j);
  finite.entries("the Jacobian of f", pattern, j);
}

void check(FiniteCheck& finite, const Index2& form, double t, ConstSpan state) {
  const std::size_t n = form.u_size(), m = form.lambda_size();
  const ConstSpan u = state.subspan(0, n), lambda = state.subspan(n, m);
  Vector f(n), g(m);
  form.functions().g(u, t, g);
  finite.vector("g", form.constraint_names(), g);
  const auto patterns = form.patterns();
  Vector gamma(patterns.gamma.count()), by_u(patterns.g.count()), by_all(patterns.f.count());
  if (form.functions().has_gamma()) {
    form.functions().gamma_values(u, t, gamma);
    finite.entries("gamma", patterns.gamma, gamma);
  }
  form.functions().f(u, lambda, t, f);
  finite.vector("f", part_of(form.layout().names(), 0, n), f);
  form.functions().g_values(u, t, by_u);
  finite.entries("the Jacobian of g", patterns.g, by_u);
  form.functions().f_values(u, lambda, t, by_all);
  finite.entries("the Jacobian of f", patterns.f, by_all);
}

void check(FiniteCheck& finite, const Index3& form, double t, ConstSpan state) {
  const std::size_t n = form.u_size(), p = form.v_size(), m = form.lambda_size();
  const ConstSpan u = state.subspan(0, n), v = state.subspan(n, p), lambda = state.subspan(n + p, m);
  Vector f(n), k(p), g(m);
  form.functions().g(u, t, g);
  finite.vector("g", form.constraint_names(), g);
  form.functions().f(u, v, t, f);
  finite.vector("f", part_of(form.layout().names(), 0, n), f);
  form.functions().k(u, v, lambda, t, k);
  finite.vector("k", part_of(form.layout().names(), n, p), k);
  Matrix fj(n, n + p + 1), kj(p, n + p + m + 1), gj(m, n + 1);
  form.functions().g_jacobian(u, t, gj);
  finite.matrix("the Jacobian of g", gj);
  form.functions().f_jacobian(u, v, t, fj);
  finite.matrix("the Jacobian of f", fj);
  form.functions().k_jacobian(u, v, lambda, t, kj);
  finite.matrix("the Jacobian of k", kj);
}

void check(FiniteCheck& finite, const Mechanical& form, double t, ConstSpan state) {
  const std::size_t n = form.q_size(), r = form.s_size(), m = form.lambda_size();
  const ConstSpan q = state.subspan(0, n), v = state.subspan(n, n), s = state.subspan(2 * n, r);
  const auto& functions = form.functions();
  Vector force(n), rate(r), g(m), curvature(m);
  functions.constraint(q, t, g);
  finite.vector("constraint", form.constraint_names(), g);
  if (functions.has_mass()) {
    Matrix mass(n, n);
    functions.mass(q, t, mass);
    finite.matrix("mass", mass);
  }
  functions.force(q, v, s, t, force);
  finite.vector("force", part_of(form.layout().names(), 0, n), force);
  functions.states(q, v, s, t, rate);
  finite.vector("states", part_of(form.layout().names(), 2 * n, r), rate);
  Matrix gj(m, n + 1), fj(n, 2 * n + r + 1);
  functions.constraint_jacobian(q, t, gj);
  finite.matrix("the Jacobian of constraint", gj);
  functions.constraint_curvature(q, t, v, 1.0, curvature);
  finite.vector("the second derivative of constraint", form.constraint_names(), curvature);
  functions.force_jacobian(q, v, s, t, fj);
  finite.matrix("the Jacobian of force", fj);
}

void check(FiniteCheck& finite, const WideMechanical& form, double t, ConstSpan state) {
  const std::size_t n = form.q_size(), p = form.v_size(), r = form.s_size(), m = form.rows();
  const ConstSpan q = state.subspan(0, n), v = state.subspan(n, p), s = state.subspan(n + p, r);
  const auto& functions = form.functions();
  const Names& names = form.layout().names();
  Vector g(form.holonomic()), rate(n), w(m), force(p), states(r), second(m), i(form.position_invariants()),
      j(form.velocity_invariants());
  functions.constraint(q, t, g);
  finite.vector("constraint", form.constraint_names(), g);
  functions.rates(q, v, t, rate);
  finite.vector("rates", part_of(names, 0, n), rate);
  if (functions.has_mass()) {
    Matrix mass(p, p);
    functions.mass(q, t, mass);
    finite.matrix("mass", mass);
  }
  functions.force(q, v, s, t, force);
  finite.vector("force", part_of(names, n, p), force);
  functions.states(q, v, s, t, states);
  finite.vector("states", part_of(names, n + p, r), states);
  functions.velocity_rows(q, v, t, w);
  finite.vector("the constraints on velocities", form.constraint_names(), w);
  functions.position_invariants(q, t, i);
  functions.velocity_invariants(q, v, t, j);
  finite.vector("position_invariants", {}, i);
  finite.vector("velocity_invariants", {}, j);
  Matrix by_all(n, n + p + 1), by_v(m, p), by_force(p, n + p + r + 1);
  functions.rates_jacobian(q, v, t, by_all);
  finite.matrix("the Jacobian of rates", by_all);
  functions.directions(q, t, by_v);
  finite.matrix("the Jacobian of the constraints on velocities", by_v);
  functions.acceleration_rows(q, v, Vector(p), t, second);
  finite.vector("the second derivative of the constraints", form.constraint_names(), second);
  functions.force_jacobian(q, v, s, t, by_force);
  finite.matrix("the Jacobian of force", by_force);
}

}  // namespace

std::string find_not_finite(const Equations& equations, double t, ConstSpan state) {
  FiniteCheck finite(layout_of(equations), t, state);
  finite.arguments();
  if (!finite.found()) std::visit([&](const auto& form) { check(finite, form, t, state); }, equations);
  return finite.text();
}

}  // namespace driftless
