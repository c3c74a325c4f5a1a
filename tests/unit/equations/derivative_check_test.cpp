#include <gtest/gtest.h>

#include "driftless/equations/convert.h"
#include "driftless/equations/index_check.h"
#include "tests/unit/equations/models.h"

namespace driftless::derivative_check_test {
namespace {

using models::sin, models::cos;

// Each with an error of a given size planted in one entry.
struct Rod {
  double force_error = 0.0, constraint_error = 0.0;

  template <class T>
  void force(In<T> q, In<T> v, const T& t, Out<T> f) const {
    f[0] = -1e6 * q[0] + t;
    f[1] = -2.0 * v[1];
  }
  template <class T>
  void constraint(In<T> q, const T& t, Out<T> g) const {
    g[0] = q[0] * q[0] + 2.0 * q[1] - t;
  }
  void force_jacobian(In<double>, In<double>, double, OutMatrix<double> fq, OutMatrix<double> fv) const {
    fq(0, 0) = -1e6;
    fv(1, 1) = -2.0 + force_error;
  }
  void constraint_jacobian(In<double> q, double, OutMatrix<double> g) const {
    g(0, 0) = 2.0 * q[0];
    g(0, 1) = 2.0 + constraint_error;
  }
};
Mechanical rod(Rod model) { return mechanical(model, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}); }
const Vector rod_state{0.5, 0.2, 0.3, 0.4, 1.0};

TEST(CompareDerivativesTest, AcceptsRightOnes) {
  const auto differences = compare_derivatives(rod({}), 0.3, rod_state);
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].function, "force_jacobian");
  EXPECT_EQ(differences[1].function, "constraint_jacobian");
  for (const auto& difference : differences) EXPECT_LT(difference.relative, 1e-14);
}

// An error in the damping is found next to a stiffness of a million: relative to F_v, not to all of F.
TEST(CompareDerivativesTest, FindsAPlantedErrorByName) {
  const auto differences = compare_derivatives(rod({.force_error = 1e-3}), 0.3, rod_state);
  EXPECT_EQ(differences[0].entry, "y by y'");
  EXPECT_DOUBLE_EQ(differences[0].given, -1.999);
  EXPECT_DOUBLE_EQ(differences[0].automatic, -2.0);
  EXPECT_NEAR(differences[0].relative, 5e-4, 1e-9);
  EXPECT_LT(differences[1].relative, 1e-14);

  const auto constraint = compare_derivatives(rod({.constraint_error = -1.0}), 0.3, rod_state);
  EXPECT_LT(constraint[0].relative, 1e-14);
  EXPECT_EQ(constraint[1].entry, "rod by y");
  EXPECT_DOUBLE_EQ(constraint[1].relative, 0.5);
}

TEST(CompareDerivativesTest, NanIsAnError) {
  const auto differences = compare_derivatives(rod({.constraint_error = NAN}), 0.3, rod_state);
  EXPECT_EQ(differences[1].entry, "rod by y");
  EXPECT_TRUE(std::isinf(differences[1].relative));
}

TEST(CompareDerivativesTest, GoesThroughConversions) {
  const auto right = compare_derivatives(as_index3(rod({})), 0.3, rod_state);
  ASSERT_EQ(right.size(), 3u);
  for (const auto& difference : right) EXPECT_LT(difference.relative, 1e-14);
  const auto wrong = compare_derivatives(as_index3(rod({.force_error = 1e-3})), 0.3, rod_state);
  EXPECT_EQ(wrong[1].function, "k_jacobian");
  EXPECT_EQ(wrong[1].entry, "y' by y'");
  const auto clocked =
      compare_derivatives(autonomous(rod({.force_error = 1e-3})), 0.3, autonomous_state(rod({}), 0.3, rod_state));
  EXPECT_EQ(clocked[1].entry, "y' by y'");
}

struct GivenGeneral2 : models::General2 {
  double error = 0.0;
  void g_jacobian(In<double> u, double, OutMatrix<double> g) const {
    g(0, 0) = 2.0 * u[0];
    g(0, 1) = 2.0 * u[1];
    g(0, 2) = u[2] + error;
  }
  void f_jacobian(In<double> u, In<double> lambda, double, OutMatrix<double> fu, OutMatrix<double> fl) const {
    fu(0, 0) = fu(1, 1) = lambda[0];
    fu(0, 1) = 1.0;
    fu(1, 0) = fu(2, 2) = -1.0;
    fl(0, 0) = u[0];
    fl(1, 0) = u[1] + 0.3 * lambda[0] * lambda[0];
    fl(2, 0) = 0.2 - error;
  }
};
struct GivenGeneral3 : models::General3 {
  double error = 0.0;
  void k_jacobian(In<double> u, In<double> v, In<double> l, double, OutMatrix<double> ku, OutMatrix<double> kv,
                  OutMatrix<double> kl) const {
    ku(0, 0) = ku(1, 1) = -l[0];
    kv(0, 0) = -0.1 * l[0];
    kl(0, 0) = -u[0] - 0.1 * v[0] + error;
    kl(1, 0) = -u[1] + 0.05 * cos(l[0]);
  }
};
struct GivenIndex1Model {
  double error = 0.0;
  template <class T>
  void f(In<T> x, const T& t, Out<T> out) const {
    out[0] = x[0] * x[1] + t;
    out[1] = sin(x[0]) - x[1];
  }
  void f_jacobian(In<double> x, double, OutMatrix<double> j) const {
    j(0, 0) = x[1];
    j(0, 1) = x[0];
    j(1, 0) = cos(x[0]) + error;
    j(1, 1) = -1.0;
  }
};

TEST(Index1Derivatives, WithoutTheColumnOfTime) {
  const Index1 form = index1(GivenIndex1Model{}, {.projector = Matrix::identity(2)});
  const Vector x = {0.3, -0.7};
  for (const Index1::Functions* functions : {&form.functions(), &form.automatic()}) {
    Matrix all(2, 3), by_x(2, 2);
    functions->f_jacobian(x, 0.5, all);
    functions->f_by_x(x, 0.5, by_x);
    EXPECT_EQ(all(0, 2), 1.0);
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(by_x(i, j), all(i, j));
  }
}

TEST(Index2Derivatives, ByTheMultiplierAlone) {
  const Index2 form = index2(GivenGeneral2{}, {.u = 3, .lambda = 1});
  const Vector u = {0.3, -0.7, 1.1}, lambda = {0.4};
  for (const Index2::Functions* functions : {&form.functions(), &form.automatic()}) {
    Matrix all(3, 5), by_lambda(3, 1);
    functions->f_jacobian(u, lambda, 0.5, all);
    functions->f_by_lambda(u, lambda, 0.5, by_lambda);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(by_lambda(i, 0), all(i, 3));
    EXPECT_NEAR(by_lambda(1, 0), -0.7 + 0.3 * 0.16, 1e-15);
  }
}

TEST(CompareDerivativesTest, OtherForms) {
  for (double error : {0.0, 1e-4}) {
    GivenGeneral2 two;
    GivenGeneral3 three;
    GivenIndex1Model one;
    one.error = two.error = three.error = error;
    const auto seen = [&](const std::vector<DerivativeDifference>& all, std::size_t k, const char* function,
                          const char* entry) {
      ASSERT_LT(k, all.size());
      EXPECT_EQ(all[k].function, function);
      if (error > 0.0) {
        EXPECT_EQ(all[k].entry, entry);
        EXPECT_NEAR(std::abs(all[k].given - all[k].automatic), error, 1e-12);
        EXPECT_GT(all[k].relative, 1e-5);
      } else {
        EXPECT_LT(all[k].relative, 1e-14);
      }
    };
    const auto by_two = compare_derivatives(index2(two, {.u_names = {"a", "b", "c"}, .constraint_names = {"shell"}}),
                                            0.7, models::general2_state());
    seen(by_two, 0, "f_jacobian", "c by lambda[0]");
    seen(by_two, 1, "g_jacobian", "shell by c");
    const auto by_three =
        compare_derivatives(index3(three, {.u = 2, .v = 2, .lambda = 1}), 0.7, models::general3_state());
    seen(by_three, 1, "k_jacobian", "v[0] by lambda[0]");
    EXPECT_EQ(by_three[0].relative, 0.0);  // not given: automatic on both sides
    Matrix p(2, 2);
    p(0, 0) = 1.0;
    const auto by_one = compare_derivatives(
        index1(one, {.projector = p, .x_names = {"y", "z"}, .equation_names = {"E", "F"}}), 0.7, Vector{0.3, 0.4});
    seen(by_one, 0, "f_jacobian", "F by y");
  }
  EXPECT_THROW(compare_derivatives(models::machine(), 0.0, Vector(2)), Misuse);
}

}  // namespace
}  // namespace driftless::derivative_check_test
