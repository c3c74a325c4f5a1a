#include "driftless/equations/index_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/equations/convert.h"
#include "driftless/equations/manifold.h"
#include "tests/unit/equations/models.h"

namespace driftless::index_check_test {
namespace {

using std::log, std::sqrt;

const double time = 0.7;

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' not in: " << text;
}

TEST(IndexCheckTest, RegularProblemsOfEveryForm) {
  const struct {
    Equations equations;
    Vector state;
    int index;
    std::size_t constraints;
  } cases[] = {{models::machine(), models::machine_state(), 3, 2},
               {models::general3(), models::general3_state(), 3, 1},
               {models::general2(), models::general2_state(), 2, 1},
               {models::circuit(), models::circuit_state(), 1, 2},
               {as_ggl(models::machine()), state_as_ggl(models::machine(), time, models::machine_state()), 2, 4}};
  for (const auto& c : cases) {
    const IndexReport report = check_index(c.equations, time, c.state);
    SCOPED_TRACE(report.verdict);
    EXPECT_EQ(report.index, c.index);
    EXPECT_TRUE(report.satisfied);
    EXPECT_TRUE(report.multiplier_found);
    EXPECT_EQ(report.constraints, c.constraints);
    EXPECT_EQ(report.rank, c.constraints);
    EXPECT_GE(report.condition, 1.0);
    EXPECT_LT(report.condition, 1e3);
    EXPECT_TRUE(report.redundant.empty());
    expect_contains(report.verdict, "regular");
  }
  EXPECT_THROW(check_index(models::machine(), time, Vector(3)), Misuse);
}

struct Redundant {
  template <class T>
  void force(In<T>, In<T>, const T&, Out<T>) const {}
  template <class T>
  void constraint(In<T> q, const T&, Out<T> g) const {
    g[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
    g[1] = q[2];
    g[2] = 3.0 * (q[0] * q[0] + q[1] * q[1] - 1.0);
  }
};
TEST(IndexCheckTest, NamesRedundantConstraints) {
  const Mechanical form = mechanical(Redundant{}, {.q = 3, .constraint_names = {"rod", "floor", "copy"}});
  for (const Equations& equations : {Equations(form), Equations(as_index3(form))}) {
    const IndexReport report = check_index(equations, 0.0, Vector{0.6, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0});
    EXPECT_FALSE(report.satisfied);
    EXPECT_EQ(report.rank, 2u);
    EXPECT_TRUE(std::isinf(report.condition));
    ASSERT_EQ(report.redundant.size(), 1u);
    EXPECT_TRUE(report.redundant[0] == "rod" || report.redundant[0] == "copy");
    expect_contains(report.verdict, "redundant here: " + report.redundant[0]);
  }
}

// The multiplier acts on a velocity that the constraint does not see: its index is 5.
struct HigherIndex {
  template <class T>
  void f(In<T>, In<T> v, const T&, Out<T> out) const {
    out[0] = v[0];
    out[1] = v[1];
  }
  template <class T>
  void k(In<T> u, In<T>, In<T> lambda, const T&, Out<T> out) const {
    out[0] = u[1];
    out[1] = lambda[0];
  }
  template <class T>
  void g(In<T> u, const T& t, Out<T> out) const {
    out[0] = u[0] - t;
  }
};
TEST(IndexCheckTest, HigherIndexIsToldFromRedundancy) {
  const IndexReport report =
      check_index(index3(HigherIndex{}, {.u = 2, .v = 2, .lambda = 1}), 0.0, Vector{0.0, 0.0, 1.0, 0.0, 0.0});
  EXPECT_FALSE(report.satisfied);
  EXPECT_EQ(report.rank, 0u);
  EXPECT_TRUE(report.redundant.empty());
  expect_contains(report.verdict, "index is higher than 3");
}

// The verdict on constraints must be the same in metres and in nanometres.
struct Units {
  double unit;
  template <class T>
  void force(In<T>, In<T>, const T&, Out<T>) const {}
  template <class T>
  void constraint(In<T> q, const T&, Out<T> g) const {
    g[0] = q[0] + q[1];
    g[1] = unit * (q[1] + q[2]);
  }
};
TEST(IndexCheckTest, DoesNotDependOnUnits) {
  for (double unit : {1e-12, 1.0, 1e9}) {
    const Mechanical form = mechanical(Units{unit}, {.q = 3, .lambda = 2});
    const IndexReport report = check_index(form, 0.0, Vector(8));
    EXPECT_TRUE(report.satisfied) << report.verdict;
    EXPECT_NEAR(report.condition, 3.0, 1e-6) << unit;
    EXPECT_TRUE(check_index(as_index3(form), 0.0, Vector(8)).satisfied);
  }
}

// Gradients vanish at the centre: (A3) fails there and nowhere else.
TEST(IndexCheckTest, SingularConfiguration) {
  EXPECT_FALSE(check_index(models::pendulum(), 0.0, Vector{0.0, 0.0, 1.0, 0.0, 0.0}).satisfied);
  EXPECT_TRUE(check_index(models::pendulum(), 0.0, Vector{0.6, 0.8, 1.0, 0.0, 0.0}).satisfied);
}

struct Unconstrained {
  template <class T>
  void force(In<T>, In<T>, const T&, Out<T>) const {}
  template <class T>
  void constraint(In<T>, const T&, Out<T>) const {}
};
TEST(IndexCheckTest, NoConstraints) {
  const IndexReport report = check_index(mechanical(Unconstrained{}, {.q = 1}), 0.0, Vector{0.0, 0.0});
  EXPECT_EQ(report.index, 0);
  EXPECT_TRUE(report.satisfied);
  expect_contains(report.verdict, "ordinary");
}

struct Fragile {
  template <class T>
  void force(In<T> q, In<T>, const T&, Out<T> f) const {
    f[0] = log(q[0]);
    f[1] = sqrt(q[1]);
  }
  template <class T>
  void constraint(In<T> q, const T& t, Out<T> g) const {
    g[0] = q[0] + 1.0 / (t - 2.0);
  }
};
TEST(NotFiniteTest, NamesFunctionComponentAndArguments) {
  const Mechanical form = mechanical(Fragile{}, {.q_names = {"x", "y"}, .constraint_names = {"wall"}});
  EXPECT_EQ(find_not_finite(form, 0.0, Vector{1.0, 1.0, 0.0, 0.0, 0.0}), "");
  const std::string force = find_not_finite(form, 0.25, Vector{1.0, -4.0, 0.5, 0.0, 0.0});
  expect_contains(force, "force returned");
  expect_contains(force, "nan in component 1 (y)");
  expect_contains(force, "t = 0.25, x = 1, y = -4, x' = 0.5");
  const std::string infinite = find_not_finite(form, 0.0, Vector{0.0, 1.0, 0.0, 0.0, 0.0});
  expect_contains(infinite, "force returned -inf in component 0 (x)");
  expect_contains(find_not_finite(form, 2.0, Vector{1.0, 1.0, 0.0, 0.0, 0.0}),
                  "constraint returned inf in component 0 (wall)");
  // Finite itself, but not its derivative.
  expect_contains(find_not_finite(form, 0.0, Vector{1.0, 0.0, 0.0, 0.0, 0.0}),
                  "the Jacobian of force has the entry (1, ");
  expect_contains(find_not_finite(form, 0.0, Vector{1.0, 1.0, NAN, 0.0, 0.0}), "the state itself: x' = nan");
}

TEST(NotFiniteTest, BecomesAFailureWithTheSameWords) {
  const Mechanical form = mechanical(Fragile{}, {.q_names = {"x", "y"}, .constraint_names = {"wall"}});
  Vector state{1.0, -4.0, 0.5, 0.0, 0.0};
  const auto status = make_manifold(form)->set_multipliers(0.0, state);
  EXPECT_EQ(status, ManifoldStatus::not_finite);
  const Failure failure = explain(status, form, 0.0, Vector{1.0, -4.0, 0.5, 0.0, 0.0});
  EXPECT_EQ(failure.kind, FailureKind::not_finite);
  expect_contains(failure.where, "force returned");
  // The other forms name their own functions.
  expect_contains(find_not_finite(as_index3(form), 0.0, state), "k returned");
  expect_contains(find_not_finite(as_index2(form), 0.0, state), "f returned");
  expect_contains(find_not_finite(as_index1(form), 0.0, Vector{1.0, -4.0, 0.5, 0.0, 0.0, 0.0, 0.0}), "(balance of y)");
}

}  // namespace
}  // namespace driftless::index_check_test
