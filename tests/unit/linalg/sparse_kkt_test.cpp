#include "driftless/linalg/sparse_kkt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "driftless/linalg/kkt.h"

namespace driftless::sparse_kkt_test {
namespace {

struct System {
  Pattern mass, g;
  Vector mass_values, g_values;
  Matrix dense_mass, dense_g;
};

// A random mass matrix with a few entries off the diagonal, and constraints that each couple a few coordinates.
System random_system(std::size_t n, std::size_t m, bool with_mass, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::uniform_int_distribution<std::uint32_t> coordinate(0, static_cast<std::uint32_t>(n) - 1);
  System s;
  s.dense_mass = Matrix(with_mass ? n : 0, with_mass ? n : 0);
  s.dense_g = Matrix(m, n);
  if (with_mass) {
    for (std::size_t i = 0; i < n; ++i) s.dense_mass(i, i) = 3.0 + number(random);
    for (std::size_t k = 0; k < n / 2; ++k) {
      const auto i = coordinate(random), j = coordinate(random);
      if (i != j) s.dense_mass(i, j) = s.dense_mass(j, i) = 0.4 * number(random);
    }
  }
  for (std::size_t k = 0; k < m; ++k) {
    s.dense_g(k, k) = 2.0 + number(random);
    for (int l = 0; l < 2; ++l) s.dense_g(k, coordinate(random)) = number(random);
  }
  auto compress = [](const Matrix& a, Vector& values) {
    std::vector<std::vector<std::uint32_t>> columns(a.cols());
    for (std::uint32_t j = 0; j < a.cols(); ++j)
      for (std::uint32_t i = 0; i < a.rows(); ++i)
        if (a(i, j) != 0.0) {
          columns[j].push_back(i);
          values.push_back(a(i, j));
        }
    return pattern_from_columns(a.rows(), columns);
  };
  s.mass = compress(s.dense_mass, s.mass_values);
  s.g = compress(s.dense_g, s.g_values);
  return s;
}

TEST(SparseKktTest, AgreesWithTheDenseOne) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (const auto& [n, m] : std::vector<std::pair<std::size_t, std::size_t>>{{1, 1}, {5, 2}, {7, 6}, {12, 8}, {40, 25}})
    for (const bool with_mass : {false, true})
      for (int trial = 0; trial < 20; ++trial) {
        const System s = random_system(n, m, with_mass, random);
        Kkt dense(n, m);
        ASSERT_EQ(dense.factorise(s.dense_mass, s.dense_g), Kkt::Status::regular);
        Vector top(n), bottom(m);
        for (double& x : top) x = number(random);
        for (double& x : bottom) x = number(random);
        Vector expected_top = top, expected_bottom = bottom, expected_mass = top;
        dense.solve(expected_top, expected_bottom);
        dense.solve_mass(expected_mass);
        for (const auto values : {SparseKktPlan::Values::compressed, SparseKktPlan::Values::dense}) {
          SparseKkt sparse(std::make_shared<const SparseKktPlan>(s.mass, s.g, values));
          const bool compressed = values == SparseKktPlan::Values::compressed;
          const auto status = compressed
                                  ? sparse.factorise(s.mass_values, s.g_values)
                                  : sparse.factorise({s.dense_mass.data(), s.dense_mass.rows() * s.dense_mass.cols()},
                                                     {s.dense_g.data(), m * n});
          if (status == SparseKkt::Status::ill_conditioned) continue;
          ASSERT_EQ(status, SparseKkt::Status::regular);
          Vector x = top, lambda = bottom, by_mass = top;
          sparse.solve(x, lambda);
          sparse.solve_mass(by_mass);
          const double accuracy = 1e-13 * sparse.pivot_ratio();
          for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], expected_top[i], accuracy * 100);
          for (std::size_t i = 0; i < m; ++i) EXPECT_NEAR(lambda[i], expected_bottom[i], accuracy * 1000);
          for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(by_mass[i], expected_mass[i], 1e-13);
        }
      }
}

// A handful of coordinates has code of its own, which must not change a bit.
TEST(SmallKktTest, GivesTheBitsOfTheGeneralCode) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (std::size_t n = 1; n <= 7; ++n)
    for (std::size_t m = 1; m <= std::min<std::size_t>(n, 4); ++m)
      for (const MassKind kind : {MassKind::unit, MassKind::diagonal, MassKind::full}) {
        SCOPED_TRACE(::testing::Message() << n << " coordinates, " << m << " constraints, mass " << int(kind));
        const std::size_t k = kind == MassKind::unit ? 0 : n;
        Matrix mass(k, k), g(m, n);
        std::vector<std::vector<std::uint32_t>> mass_columns(k), g_columns(n);
        for (std::uint32_t j = 0; j < k; ++j)
          for (std::uint32_t i = 0; i < k; ++i) {
            if (kind == MassKind::diagonal && i != j) continue;
            mass_columns[j].push_back(i);
            mass(i, j) = i == j ? 3.0 + number(random) : i > j ? 0.3 * number(random) : mass(j, i);
          }
        for (std::uint32_t j = 0; j < k; ++j)
          for (std::uint32_t i = 0; i < j; ++i) mass(i, j) = mass(j, i);
        for (std::uint32_t j = 0; j < n; ++j)
          for (std::uint32_t i = 0; i < m; ++i) {
            g_columns[j].push_back(i);
            g(i, j) = number(random) + (i == j ? 2.0 : 0.0);
          }
        const auto plan = std::make_shared<SparseKktPlan>(
            pattern_from_columns(k, mass_columns), pattern_from_columns(m, g_columns), SparseKktPlan::Values::dense);
        EXPECT_EQ(plan->small != nullptr, n <= 6 && m <= 3);
        if (!plan->small) continue;
        const auto general_plan = std::make_shared<SparseKktPlan>(*plan);
        general_plan->small = nullptr;
        SparseKkt small(plan), general(general_plan);
        const ConstSpan mass_values(mass.data(), k * k), g_values(g.data(), m * n);
        ASSERT_EQ(small.factorise(mass_values, g_values), SparseKkt::Status::regular);
        ASSERT_EQ(general.factorise(mass_values, g_values), SparseKkt::Status::regular);
        EXPECT_EQ(small.pivot_ratio(), general.pivot_ratio());
        Vector top(n), bottom(m);
        for (double& x : top) x = number(random);
        for (double& x : bottom) x = number(random);
        Vector top2 = top, bottom2 = bottom;
        small.solve(top, bottom);
        general.solve(top2, bottom2);
        EXPECT_EQ(top, top2);
        EXPECT_EQ(bottom, bottom2);
        small.solve_constraints(top, bottom);
        general.solve_constraints(top2, bottom2);
        EXPECT_EQ(top, top2);
        EXPECT_EQ(bottom, bottom2);
        small.solve_mass(top);
        general.solve_mass(top2);
        EXPECT_EQ(top, top2);
        small.remove_normal(g_values, top);
        for (std::size_t i = 0; i < m; ++i) {
          double along = 0.0;
          for (std::size_t j = 0; j < n; ++j) along += g(i, j) * top[j];
          EXPECT_NEAR(along, 0.0, 1e-14);
        }
      }
}

TEST(SmallKktTest, TellsRedundantRowsAndSingularMasses) {
  const Pattern diagonal = pattern_from_columns(2, {{0}, {1}}), both = pattern_from_columns(2, {{0, 1}, {0, 1}});
  SparseKkt kkt(std::make_shared<const SparseKktPlan>(diagonal, both, SparseKktPlan::Values::dense));
  ASSERT_TRUE(kkt.is_small());
  const Vector unit{1.0, 0.0, 0.0, 1.0};
  EXPECT_EQ(kkt.factorise(unit, Vector{1.0, 2.0, 1.0, 2.0}), SparseKkt::Status::ill_conditioned);
  EXPECT_EQ(kkt.factorise(unit, Vector{1.0, 0.0, 0.0, std::nan("")}), SparseKkt::Status::ill_conditioned);
  EXPECT_EQ(kkt.factorise(Vector{1.0, 0.0, 0.0, 0.0}, unit), SparseKkt::Status::mass_not_positive_definite);
  EXPECT_EQ(kkt.failed_row(), 1u);
  EXPECT_EQ(kkt.factorise(unit, unit), SparseKkt::Status::regular);
}

TEST(SparseKktTest, TellsRedundantRowsAndSingularMasses) {
  const Pattern diagonal = pattern_from_columns(2, {{0}, {1}});
  const Pattern both = pattern_from_columns(2, {{0, 1}, {0, 1}});
  SparseKkt kkt(std::make_shared<const SparseKktPlan>(diagonal, both, SparseKktPlan::Values::compressed));
  EXPECT_EQ(kkt.factorise(Vector{1.0, 1.0}, Vector{1.0, 2.0, 1.0, 2.0}), SparseKkt::Status::ill_conditioned);
  EXPECT_EQ(kkt.factorise(Vector{1.0, 0.0}, Vector{1.0, 0.0, 0.0, 1.0}), SparseKkt::Status::mass_not_positive_definite);
  EXPECT_EQ(kkt.failed_row(), 1u);
  EXPECT_EQ(kkt.factorise(Vector{1.0, 1.0}, Vector{1.0, 0.0, 0.0, std::nan("")}), SparseKkt::Status::ill_conditioned);
  EXPECT_EQ(kkt.factorise(Vector{1.0, 1.0}, Vector{1.0, 0.0, 0.0, 1.0}), SparseKkt::Status::regular);
}

// An arrow that points the wrong way fills up completely in its own order, and not at all in the other one.
TEST(PatternTest, MinimumDegreeKeepsAnArrowSparse) {
  const std::size_t n = 30;
  std::vector<std::vector<std::uint32_t>> columns(n);
  for (std::uint32_t j = 0; j < n; ++j) columns[j] = j == 0 ? std::vector<std::uint32_t>() : std::vector{0u, j};
  for (std::uint32_t i = 0; i < n; ++i) columns[0].push_back(i);
  EXPECT_EQ(SparseLdl(pattern_from_columns(n, columns)).entry_count(), 2 * n - 1);
}

TEST(PatternTest, ColoursAChainWithAFewColours) {
  const std::uint32_t n = 1000;
  std::vector<std::vector<std::uint32_t>> columns(n);
  for (std::uint32_t j = 0; j < n; ++j) columns[j] = j + 1 < n ? std::vector{j, j + 1} : std::vector{j};
  const Pattern pattern = pattern_from_columns(n, columns);
  const auto colour = colour_columns(pattern);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;  // (row, colour)
  for (std::uint32_t j = 0; j < n; ++j)
    for (const std::uint32_t i : columns[j]) EXPECT_TRUE(seen.insert({i, colour[j]}).second);
  EXPECT_EQ(*std::max_element(colour.begin(), colour.end()), 1u);
}

}  // namespace
}  // namespace driftless::sparse_kkt_test
