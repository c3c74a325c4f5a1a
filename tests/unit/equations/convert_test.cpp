#include "driftless/equations/convert.h"

#include <gtest/gtest.h>

#include "driftless/equations/manifold.h"
#include "tests/unit/count_allocations.h"
#include "tests/unit/equations/differences.h"
#include "tests/unit/equations/models.h"

namespace driftless::convert_test {
namespace {

const double time = 0.7;

struct Start {
  const char* what;
  Mechanical form;
  Vector state;  // on the manifold, with its multipliers
};

std::vector<Start> starts() {
  std::vector<Start> all{{"machine", models::machine(), models::machine_state()},
                         {"light machine", models::light_machine(), models::light_machine_state()}};
  for (auto& start : all) {
    const auto manifold = make_manifold(start.form);
    Vector mu(2), nu(2);
    EXPECT_EQ(manifold->project(time, start.state, true, mu, nu), ManifoldStatus::ok);
    EXPECT_EQ(manifold->set_multipliers(time, start.state), ManifoldStatus::ok);
  }
  return all;
}

Vector derivative(const Equations& equations, const Vector& state) {
  Vector out(state.size());
  EXPECT_EQ(make_manifold(equations)->derivative(time, state, out), ManifoldStatus::ok);
  return out;
}
Vector multipliers(const Equations& equations, Vector state, std::initializer_list<const char*> blocks) {
  for (const char* symbol : blocks)
    for (double& x : layout_of(equations).block(symbol).of(Span(state))) x = 0.0;
  EXPECT_EQ(make_manifold(equations)->set_multipliers(time, state), ManifoldStatus::ok);
  return state;
}
void expect_near(ConstSpan a, ConstSpan b, double tolerance = 1e-12) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * (1.0 + std::abs(b[i]))) << i;
}
// The part that is differential in every form: q, v, s.
ConstSpan motion(const Mechanical& form, const Vector& state) {
  return {state.data(), 2 * form.q_size() + form.s_size()};
}

TEST(ConvertTest, ToIndex3KeepsDerivativeMultiplierAndResiduals) {
  for (const auto& [what, form, state] : starts()) {
    SCOPED_TRACE(what);
    const Index3 other = as_index3(form);
    const Vector same = state_as_index3(form, time, state);
    expect_near(derivative(other, same), derivative(form, state));
    expect_near(multipliers(other, same, {"lambda"}), state);
    Vector off = models::machine_state();
    off.resize(state.size());
    const auto a = constraint_residuals(form, time, off), b = constraint_residuals(other, time, off);
    for (int k = 0; k < 3; ++k) expect_near(a.level[k], b.level[k]);
    EXPECT_GT(a.largest(3), 1e-3);
  }
}

TEST(ConvertTest, ToIndex2KeepsDerivativeAndMultiplier) {
  for (const auto& [what, form, state] : starts()) {
    SCOPED_TRACE(what);
    const Index2 other = as_index2(form);
    const Vector same = state_as_index2(form, time, state);
    EXPECT_EQ(other.functions().has_gamma(), form.functions().has_mass());
    expect_near(derivative(other, same), derivative(form, state));
    expect_near(multipliers(other, same, {"lambda"}), state);
    EXPECT_LT(constraint_residuals(other, time, same).largest(2), 1e-12);
  }
}

TEST(ConvertTest, ToGearGuptaLeimkuhlerKeepsDerivativeAndMultiplier) {
  for (const auto& [what, form, state] : starts()) {
    SCOPED_TRACE(what);
    const Index2 other = as_ggl(form);
    Vector same = state_as_ggl(form, time, state);
    ASSERT_EQ(same.size(), state.size() + form.lambda_size());
    expect_near(motion(form, derivative(other, same)), motion(form, derivative(form, state)));
    expect_near(multipliers(other, same, {"lambda"}), same);
    for (double& x : std::span(same).last(2)) x = 0.3;  // mu is found as well: 0 on the manifold
    EXPECT_EQ(make_manifold(other)->set_multipliers(time, same), ManifoldStatus::ok);
    expect_near(std::span(same).last(2), Vector{0.0, 0.0});
  }
}

TEST(ConvertTest, ToIndex1KeepsDerivativeAccelerationAndMultiplier) {
  for (const auto& [what, form, state] : starts()) {
    SCOPED_TRACE(what);
    const std::size_t n = form.q_size(), r = form.s_size();
    const Index1 other = as_index1(form);
    const Vector same = state_as_index1(form, time, state);
    const Vector slope = derivative(form, state);
    expect_near(motion(form, derivative(other, same)), motion(form, slope));
    expect_near(ConstSpan(same).subspan(2 * n + r, n), ConstSpan(slope).subspan(n, n));
    EXPECT_LT(constraint_residuals(other, time, same).largest(1), 1e-12);
    Vector guess = same;
    for (std::size_t i = 2 * n + r; i < guess.size(); ++i) guess[i] = 0.0;
    EXPECT_EQ(make_manifold(other)->set_multipliers(time, guess), ManifoldStatus::ok);
    expect_near(guess, same);
  }
}

TEST(ConvertTest, NamesAreCarriedOver) {
  const Mechanical form = models::machine();
  EXPECT_EQ(as_index3(form).layout().names(), form.layout().names());
  EXPECT_EQ(as_index3(form).constraint_names(), (Names{"sphere", "track"}));
  EXPECT_EQ(as_index2(form).layout().names(), form.layout().names());
  EXPECT_EQ(as_index2(form).constraint_names(), (Names{"sphere'", "track'"}));
  EXPECT_EQ(as_ggl(form).constraint_names(), (Names{"sphere", "track", "sphere'", "track'"}));
  EXPECT_EQ(as_ggl(form).layout().name(11), "mu[1]");
  EXPECT_EQ(as_index1(form).layout().names(),
            (Names{"a", "b", "c", "a'", "b'", "c'", "heat", "charge", "a''", "b''", "c''", "lambda[0]", "lambda[1]"}));
  Names constraints = as_index1(form).constraint_names();
  std::sort(constraints.begin(), constraints.end());
  EXPECT_EQ(constraints, (Names{"balance of a", "balance of b", "balance of c", "sphere''", "track''"}));
}

TEST(ConvertTest, WrongSizesAreMisuse) {
  const Mechanical form = models::machine();
  const Vector shorter(9);
  EXPECT_THROW(state_as_index3(form, time, shorter), Misuse);
  EXPECT_THROW(state_as_index2(form, time, shorter), Misuse);
  EXPECT_THROW(state_as_ggl(form, time, shorter), Misuse);
  EXPECT_THROW(state_as_index1(form, time, shorter), Misuse);
  EXPECT_THROW(autonomous_state(form, time, shorter), Misuse);
}

void expect_jacobians(const Index3& form, const Vector& state) {
  const std::size_t n = form.u_size(), p = form.v_size(), m = form.lambda_size();
  const auto& f = form.functions();
  const ConstSpan u(state.data(), n), v(state.data() + n, p), l(state.data() + n + p, m);
  const Vector now{time}, du{0.3, -0.5, 0.2, 0.8};
  Matrix fj(n, n + p + 1), kj(p, n + p + m + 1), gj(m, n + 1), tj(m, n + 1);
  f.f_jacobian(u, v, time, fj);
  f.k_jacobian(u, v, l, time, kj);
  f.g_jacobian(u, time, gj);
  f.g_tangent_jacobian(u, time, ConstSpan(du).first(n), 0.6, tj);
  expect_jacobian(
      "f", [&](ConstSpan x, Span y) { f.f(x.first(n), x.subspan(n, p), x[n + p], y); }, concatenate({u, v, now}), fj);
  expect_jacobian(
      "k", [&](ConstSpan x, Span y) { f.k(x.first(n), x.subspan(n, p), x.subspan(n + p, m), x[n + p + m], y); },
      concatenate({u, v, l, now}), kj);
  expect_jacobian(
      "g", [&](ConstSpan x, Span y) { f.g(x.first(n), x[n], y); }, concatenate({u, now}), gj);
  const auto tangent = [&](ConstSpan x, Span y) {
    Matrix j(m, n + 1);
    f.g_jacobian(x.first(n), x[n], j);
    for (std::size_t i = 0; i < m; ++i) {
      y[i] = j(i, n) * 0.6;
      for (std::size_t k = 0; k < n; ++k) y[i] += j(i, k) * du[k];
    }
  };
  expect_jacobian("g tangent", tangent, concatenate({u, now}), tj);
  Vector curvature(m);  // d/ds of the tangent along the same direction
  f.g_curvature(u, time, ConstSpan(du).first(n), 0.6, curvature);
  for (std::size_t i = 0; i < m; ++i) {
    double sum = tj(i, n) * 0.6;
    for (std::size_t k = 0; k < n; ++k) sum += tj(i, k) * du[k];
    EXPECT_NEAR(curvature[i], sum, 1e-12);
  }
}

void expect_jacobians(const Index2& form, const Vector& state) {
  const std::size_t n = form.u_size(), m = form.lambda_size();
  const auto& f = form.functions();
  const ConstSpan u(state.data(), n), l(state.data() + n, m);
  const Vector now{time};
  Matrix fj(n, n + m + 1), gj(m, n + 1);
  f.f_jacobian(u, l, time, fj);
  f.g_jacobian(u, time, gj);
  expect_jacobian(
      "f", [&](ConstSpan x, Span y) { f.f(x.first(n), x.subspan(n, m), x[n + m], y); }, concatenate({u, l, now}), fj);
  expect_jacobian(
      "g", [&](ConstSpan x, Span y) { f.g(x.first(n), x[n], y); }, concatenate({u, now}), gj);
  if (!f.has_gamma()) return;
  Vector w(n);
  for (std::size_t i = 0; i < n; ++i) w[i] = 0.4 * static_cast<double>(i) - 1.1;
  Matrix wj(n, n + 1);
  f.gamma_jacobian(u, time, w, wj);
  const auto product = [&](ConstSpan x, Span y) {
    Matrix gamma(n, n);
    f.gamma(x.first(n), x[n], gamma);
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = 0.0;
      for (std::size_t k = 0; k < n; ++k) y[i] += gamma(i, k) * w[k];
    }
  };
  expect_jacobian("gamma", product, concatenate({u, now}), wj);
}

void expect_jacobians(const Index1& form, const Vector& state) {
  const std::size_t n = form.size();
  const auto& f = form.functions();
  Matrix j(n, n + 1);
  f.f_jacobian(state, time, j);
  expect_jacobian(
      "f", [&](ConstSpan x, Span y) { f.f(x.first(n), x[n], y); }, concatenate({state, Vector{time}}), j);
}

TEST(ConvertTest, JacobiansAgreeWithDifferences) {
  for (const auto& [what, form, state] : starts()) {
    SCOPED_TRACE(what);
    expect_jacobians(as_index3(form), state_as_index3(form, time, state));
    expect_jacobians(as_index2(form), state_as_index2(form, time, state));
    Vector ggl = state_as_ggl(form, time, state);
    for (double& x : std::span(ggl).last(2)) x = 0.4;  // mu = 0 would hide half of the terms
    expect_jacobians(as_ggl(form), ggl);
    Vector index1 = state_as_index1(form, time, state);
    for (double& x : index1) x += 0.05;  // off the manifold
    expect_jacobians(as_index1(form), index1);
  }
}

struct AnyForm {
  const char* what;
  Equations equations;
  Vector state;
};
std::vector<AnyForm> any_forms() {
  return {{"index 1", models::circuit(), models::circuit_state()},
          {"index 2", models::general2(), models::general2_state()},
          {"index 3", models::general3(), models::general3_state()},
          {"mechanical", models::machine(), models::machine_state()}};
}

TEST(AutonomousTest, JacobiansAgreeWithDifferencesAndIgnoreTime) {
  for (const auto& [what, equations, state] : any_forms()) {
    SCOPED_TRACE(what);
    const Equations clocked = autonomous(equations);
    const Vector with_time =
        autonomous_state(equations, 0.9, state);  // not the `time` that the functions are called with
    if (auto* form = std::get_if<Index1>(&clocked)) expect_jacobians(*form, with_time);
    if (auto* form = std::get_if<Index2>(&clocked)) expect_jacobians(*form, with_time);
    if (auto* form = std::get_if<Index3>(&clocked)) expect_jacobians(*form, with_time);
    const auto early = constraint_residuals(clocked, 0.0, with_time),
               late = constraint_residuals(clocked, 50.0, with_time);
    const auto original = constraint_residuals(equations, 0.9, state);
    for (std::size_t k = 0; k < original.level.size(); ++k) {
      expect_near(early.level[k], original.level[k]);
      expect_near(late.level[k], original.level[k]);
    }
  }
}

// Derivative, multipliers and projection are those of the original; the clock runs at rate 1 and is not moved.
TEST(AutonomousTest, SameMotionAndProjectionWithAClock) {
  for (const auto& [what, equations, state] : any_forms()) {
    SCOPED_TRACE(what);
    const Equations clocked = autonomous(equations);
    const std::size_t at = layout_of(clocked).find("t");
    Vector a = state, b = autonomous_state(equations, time, state);
    EXPECT_EQ(b[at], time);
    const auto original = make_manifold(equations), extended = make_manifold(clocked);
    const std::size_t m = original->constraint_count();
    ASSERT_EQ(extended->constraint_count(), m);
    Vector mu(m), nu(m), mu2(m), nu2(m);
    ASSERT_EQ(original->project(time, a, true, mu, nu), ManifoldStatus::ok);
    ASSERT_EQ(extended->project(0.0, b, true, mu2, nu2), ManifoldStatus::ok);
    ASSERT_EQ(original->set_multipliers(time, a), ManifoldStatus::ok);
    ASSERT_EQ(extended->set_multipliers(0.0, b), ManifoldStatus::ok);
    EXPECT_EQ(b[at], time);
    Vector slope = derivative(clocked, b);
    EXPECT_EQ(slope[at], 1.0);
    b.erase(b.begin() + static_cast<std::ptrdiff_t>(at));
    slope.erase(slope.begin() + static_cast<std::ptrdiff_t>(at));
    expect_near(b, a);
    expect_near(slope, derivative(equations, a));
  }
}

TEST(AutonomousTest, NamesAndErrors) {
  const Equations clocked = autonomous(models::machine());
  EXPECT_TRUE(std::holds_alternative<Index3>(clocked));
  EXPECT_EQ(layout_of(clocked).names(),
            (Names{"a", "b", "c", "t", "a'", "b'", "c'", "heat", "charge", "lambda[0]", "lambda[1]"}));
  EXPECT_EQ(constraint_names_of(clocked), (Names{"sphere", "track"}));
  EXPECT_THROW(autonomous(clocked), Misuse);  // there is an unknown "t" already
}

void evaluate_all(const Index3& form, const Vector& state, std::vector<Matrix>& j, Vector& out) {
  const std::size_t n = form.u_size(), p = form.v_size();
  const ConstSpan u(state.data(), n), v(state.data() + n, p), l(state.data() + n + p, form.lambda_size());
  form.functions().k(u, v, l, time, std::span(out).first(p));
  form.functions().k_jacobian(u, v, l, time, j[0].view().block(0, 0, p, n + p + form.lambda_size() + 1));
}
void evaluate_all(const Index2& form, const Vector& state, std::vector<Matrix>& j, Vector& out) {
  const std::size_t n = form.u_size(), m = form.lambda_size();
  const ConstSpan u(state.data(), n), l(state.data() + n, m);
  form.functions().f(u, l, time, std::span(out).first(n));
  form.functions().g(u, time, std::span(out).first(m));
  form.functions().f_jacobian(u, l, time, j[0].view().block(0, 0, n, n + m + 1));
  form.functions().g_jacobian(u, time, j[0].view().block(0, 0, m, n + 1));
  form.functions().gamma(u, time, j[0].view().block(0, 0, n, n));
  form.functions().gamma_jacobian(u, time, u, j[0].view().block(0, 0, n, n + 1));
}
void evaluate_all(const Index1& form, const Vector& state, std::vector<Matrix>& j, Vector& out) {
  form.functions().f(state, time, std::span(out).first(form.size()));
  form.functions().f_jacobian(state, time, j[0].view().block(0, 0, form.size(), form.size() + 1));
}

TEST(ConvertTest, EvaluationsDoNotAllocateAfterTheFirst) {
  const Mechanical form = models::machine();
  const Vector state = models::machine_state();
  const std::vector<AnyForm> forms{{"index 3", as_index3(form), state_as_index3(form, time, state)},
                                   {"index 2", as_index2(form), state_as_index2(form, time, state)},
                                   {"ggl", as_ggl(form), state_as_ggl(form, time, state)},
                                   {"index 1", as_index1(form), state_as_index1(form, time, state)},
                                   {"clock", autonomous(form), autonomous_state(form, time, state)}};
  std::vector<Matrix> j{Matrix(20, 30)};
  Vector out(20);
  for (const auto& [what, equations, at] : forms) {
    const auto evaluate = [&, &equations = equations, &at = at] {
      if (auto* one = std::get_if<Index1>(&equations)) evaluate_all(*one, at, j, out);
      if (auto* two = std::get_if<Index2>(&equations)) evaluate_all(*two, at, j, out);
      if (auto* three = std::get_if<Index3>(&equations)) evaluate_all(*three, at, j, out);
    };
    evaluate();
    const std::size_t before = allocation_count;
    evaluate();
    evaluate();
    EXPECT_EQ(allocation_count, before) << what;
  }
}

}  // namespace
}  // namespace driftless::convert_test
