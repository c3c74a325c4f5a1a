// Names, sizes and other misuse at construction.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/unit/equations/models.h"

namespace driftless::forms_test {
namespace {

std::string misuse(const std::function<void()>& call) {
  try {
    call();
  } catch (const Misuse& error) {
    return error.what();
  }
  return "no exception";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' not in: " << text;
}

TEST(LayoutTest, BlocksAndNames) {
  Layout layout;
  layout.add("q", 2, {"x"});
  layout.add("lambda", 1);
  EXPECT_EQ(layout.size(), 3u);
  EXPECT_EQ(layout.names(), (Names{"x", "q[1]", "lambda[0]"}));
  EXPECT_EQ(layout.find("q[1]"), 1u);
  EXPECT_EQ(layout.block("lambda").begin, 2u);
  EXPECT_TRUE(layout.has("q"));
  EXPECT_FALSE(layout.has("v"));
  const Vector state{1.0, 2.0, 3.0};
  EXPECT_EQ(layout.block("q").of(ConstSpan(state))[1], 2.0);
}

TEST(LayoutTest, ErrorsNameTheCulpritAndTheAlternatives) {
  Layout layout;
  layout.add("q", 2, {"x", "y"});
  const std::string unknown = misuse([&] { layout.find("z"); });
  expect_contains(unknown, "'z'");
  expect_contains(unknown, "x, y");
  expect_contains(misuse([&] { layout.block("v"); }), "no block 'v'; they have q");
  expect_contains(misuse([&] { layout.add("v", 1, {"x"}); }), "'x' is used for two unknowns");
  expect_contains(misuse([&] { layout.add("v", 2, {"p", "p"}); }), "'p' is used twice");
  expect_contains(misuse([&] { layout.add("v", 1, {"p", "r"}); }), "2 names given for v, which has 1");
}

TEST(FormsTest, SizesComeFromNames) {
  const Mechanical form = models::pendulum();
  EXPECT_EQ(form.q_size(), 2u);
  EXPECT_EQ(form.lambda_size(), 1u);
  EXPECT_EQ(form.layout().names(), (Names{"x", "y", "x'", "y'", "lambda[0]"}));
  EXPECT_EQ(form.constraint_names(), (Names{"rod"}));
  EXPECT_EQ(index_of(form), 3);
  EXPECT_EQ(index_of(models::general2()), 2);
  EXPECT_EQ(index_of(models::circuit()), 1);
}

TEST(FormsTest, NoFunctionsOrNoUnknownsIsMisuse) {
  expect_contains(misuse([] { Index3({.u = 1, .v = 1, .lambda = 1}, nullptr); }), "need functions");
  expect_contains(misuse([] { mechanical(models::Pendulum{}, {.q = 0, .lambda = 1}); }), "force: index 1");
  expect_contains(misuse([] { Index2({.u = 0, .lambda = 0}, models::general2().share()); }), "no unknowns");
}

TEST(FormsTest, TooManyNamesIsMisuse) {
  expect_contains(misuse([] {
                    mechanical(models::Pendulum{}, {.q = 2, .lambda = 1, .q_names = {"x", "y", "z"}});
                  }),
                  "3 names");
  expect_contains(misuse([] {
                    mechanical(models::Pendulum{}, {.q_names = {"x", "x"}, .lambda_names = {"l"}});
                  }),
                  "'x'");
}

// The formulas are called once with index-checked views: the function is named before any run.
TEST(ProbeTest, NamesTheFunctionWithAWrongIndex) {
  using namespace models;
  expect_contains(misuse([] { mechanical(Pendulum{}, {.q = 1, .lambda = 1}); }),
                  "force: index 1 used where there are 1");
  expect_contains(misuse([] { mechanical(Pendulum{}, {.q = 2, .lambda = 0}); }),
                  "constraint: index 0 used where there are no");
  expect_contains(misuse([] { mechanical(Machine{}, {.q = 3, .s = 1, .lambda = 2}); }), "force: index 1");
  expect_contains(misuse([] { index3(General3{}, {.u = 2, .v = 2, .lambda = 0}); }), "k: index 0");
  expect_contains(misuse([] { index3(General3{}, {.u = 1, .v = 2, .lambda = 1}); }), "f: index 1");
  expect_contains(misuse([] { index2(General2{}, {.u = 3, .lambda = 0}); }), "f: index 0");
  expect_contains(misuse([] { index2(General2{}, {.u = 2, .lambda = 1}); }), "f: index 2");
  expect_contains(misuse([] { partitioned(Circuit{}, {.y = 2, .z = 1}); }), "f: index 1");
}

TEST(ProbeTest, StatesThatTheModelDoesNotHaveAreMisuse) {
  expect_contains(misuse([] { mechanical(models::Pendulum{}, {.q = 2, .lambda = 1, .s_names = {"heat"}}); }),
                  "no states");
}

Matrix matrix(std::size_t n, std::initializer_list<double> by_rows) {
  Matrix a(n, n);
  std::size_t k = 0;
  for (double value : by_rows) {
    a(k / n, k % n) = value;
    ++k;
  }
  return a;
}

struct Linear {
  template <class T>
  void f(In<T> x, const T&, Out<T> out) const {
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = -x[i];
  }
};

TEST(Index1Test, OnlyProjectorsAreAccepted) {
  EXPECT_EQ(misuse([] { index1(Linear{}, {.projector = matrix(2, {1, 0, 0, 0})}); }), "no exception");
  EXPECT_EQ(misuse([] { index1(Linear{}, {.projector = matrix(2, {1, 5, 0, 0})}); }), "no exception");  // oblique
  expect_contains(misuse([] { index1(Linear{}, {.projector = matrix(2, {0, 1, 0, 0})}); }), "not a projector");
  expect_contains(misuse([] { index1(Linear{}, {.projector = matrix(2, {2, 0, 0, 1})}); }), "implicit_index1");
  expect_contains(misuse([] { index1(Linear{}, {.projector = matrix(2, {NAN, 0, 0, 1})}); }), "not a projector");
  expect_contains(misuse([] { index1(Linear{}, {.projector = Matrix(2, 3)}); }), "square, but is 2 x 3");
}

TEST(Index1Test, BasesOfAnObliqueProjector) {
  const Index1 form =
      index1(Linear{}, {.projector = matrix(2, {1, 5, 0, 0}), .x_names = {"a", "b"}, .equation_names = {"E", "F"}});
  ASSERT_EQ(form.constraint_count(), 1u);
  // Q = [[0, -5], [0, 1]]: image along (-5, 1), rows along (0, 1).
  EXPECT_NEAR(form.q_image()(0, 0) / form.q_image()(1, 0), -5.0, 1e-14);
  EXPECT_NEAR(form.q_rows()(0, 0), 0.0, 1e-15);
  EXPECT_EQ(form.constraint_names(), (Names{"F"}));
  EXPECT_EQ(index1(Linear{}, {.projector = Matrix::identity(2)}).constraint_count(), 0u);
}

double determinant_2x2_or_larger(Matrix a) {  // Gauss without pivoting is enough to see that T is regular
  double product = 1.0;
  for (std::size_t k = 0; k < a.rows(); ++k) {
    std::size_t p = k;
    for (std::size_t i = k; i < a.rows(); ++i)
      if (std::abs(a(i, k)) > std::abs(a(p, k))) p = i;
    for (std::size_t j = 0; j < a.cols(); ++j) std::swap(a(k, j), a(p, j));
    product *= a(k, k);
    for (std::size_t i = k + 1; i < a.rows(); ++i) {
      const double factor = a(i, k) / a(k, k);
      for (std::size_t j = k; j < a.cols(); ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return product;
}

// T A = P, P P = P, P symmetric, Ker P = Ker A, T regular.
TEST(ProjectorFormTest, HoldsForAllKindsOfSingularMatrices) {
  const struct {
    const char* what;
    Matrix a;
    double rank;
  } cases[] = {
      {"nilpotent", matrix(2, {0, 1, 0, 0}), 1},
      {"diagonal", matrix(3, {4, 0, 0, 0, 1e-3, 0, 0, 0, 0}), 2},
      {"rank one", matrix(2, {1, 2, 2, 4}), 1},
      {"transistor", matrix(3, {-1, 1, 0, 1, -1, 0, 0, 0, -2}), 2},
      {"regular", matrix(2, {0, 3, -2, 1}), 2},
      {"zero", matrix(2, {0, 0, 0, 0}), 0},
      {"nilpotent of order 3", matrix(3, {0, 1, 0, 0, 0, 1, 0, 0, 0}), 2},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const ProjectorForm form = projector_form(c.a);
    const std::size_t n = c.a.rows();
    double trace = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      trace += form.projector(i, i);
      for (std::size_t j = 0; j < n; ++j) {
        double ta = 0.0, pp = 0.0, ap = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
          ta += form.transform(i, k) * c.a(k, j);
          pp += form.projector(i, k) * form.projector(k, j);
          ap += c.a(i, k) * form.projector(k, j);
        }
        EXPECT_NEAR(ta, form.projector(i, j), 1e-13);
        EXPECT_NEAR(pp, form.projector(i, j), 1e-14);
        EXPECT_NEAR(ap, c.a(i, j), 1e-14);  // A vanishes where P does
        EXPECT_NEAR(form.projector(i, j), form.projector(j, i), 1e-15);
      }
    }
    EXPECT_NEAR(trace, c.rank, 1e-14);
    EXPECT_GT(std::abs(determinant_2x2_or_larger(form.transform)), 1e-3);
  }
  EXPECT_THROW(projector_form(Matrix(2, 3)), Misuse);
}

// D A E with regular A, in units D of the equations and E of the unknowns: no state is taken for an algebraic unknown.
TEST(ProjectorFormTest, ARegularMatrixIsRegularInAnyUnits) {
  const Matrix a = matrix(3, {1, 0, 0.4, 0.4, 1, 0, 0, 0.4, 1});
  const double equations[3] = {1.0, 1e-3, 1e6}, unknowns[3] = {1e5, 1e-3, 1e-12};
  Matrix scaled(3, 3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) scaled(i, j) = equations[i] * a(i, j) * unknowns[j];
  const ProjectorForm form = projector_form(scaled);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(form.projector(i, j), i == j ? 1.0 : 0.0);
      double product = 0.0;
      for (std::size_t k = 0; k < 3; ++k) product += form.transform(i, k) * scaled(k, j);
      EXPECT_NEAR(product * unknowns[i] / unknowns[j], i == j ? 1.0 : 0.0, 1e-13);
    }
}

}  // namespace
}  // namespace driftless::forms_test
