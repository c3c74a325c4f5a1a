#include "driftless/linalg/large_svd.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <random>
#include <stop_token>

#include "driftless/core/stop.h"

namespace driftless::large_svd_test {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

MatrixXd random_orthogonal(Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const MatrixXd m = MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
  return Eigen::HouseholderQR<MatrixXd>(m).householderQ();
}

// What these values say, in any order, put between two orthogonal matrices, comes out again.
void expect_found(Index rows, Index columns, VectorXd values, double scale = 1.0) {
  MatrixXd middle = MatrixXd::Zero(rows, columns);
  for (Index k = 0; k < values.size(); ++k) middle(k, k) = scale * values(k);
  const MatrixXd m = random_orthogonal(rows, 1) * middle * random_orthogonal(columns, 2).transpose();
  std::sort(values.begin(), values.end(), std::greater<>());
  const double largest = scale * std::max(values(0), 1e-300);
  const Svd svd = large_svd(m, SingularVectors::full);
  ASSERT_EQ(svd.values.size(), values.size());
  EXPECT_LT((svd.values - scale * values).cwiseAbs().maxCoeff() / largest, 1e-13);
  EXPECT_LT((large_svd(m, SingularVectors::none).values - svd.values).cwiseAbs().maxCoeff() / largest, 1e-14);
  EXPECT_LT((svd.u.transpose() * svd.u - MatrixXd::Identity(rows, rows)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((svd.v.transpose() * svd.v - MatrixXd::Identity(columns, columns)).cwiseAbs().maxCoeff(), 1e-13);
  MatrixXd found = MatrixXd::Zero(rows, columns);
  for (Index k = 0; k < values.size(); ++k) found(k, k) = svd.values(k);
  EXPECT_LT((svd.u * found * svd.v.transpose() - m).cwiseAbs().maxCoeff() / largest, 1e-13);
}

VectorXd from_to(Index n, double from, double to) {
  return VectorXd::NullaryExpr(n, [&](Index k) { return from * std::pow(to / from, double(k) / double(n - 1)); });
}

TEST(LargeSvd, FindsValuesOfAllSizes) {
  expect_found(60, 60, from_to(60, 1.0, 3.0));
  expect_found(97, 97, from_to(97, 1e-14, 1.0));
  expect_found(150, 150, from_to(150, 5.0, 5.0));
}

TEST(LargeSvd, OfAnyShape) {
  expect_found(120, 45, from_to(45, 0.1, 10.0));
  expect_found(45, 120, from_to(45, 0.1, 10.0));
  expect_found(41, 42, from_to(41, 1e-6, 1.0));
}

TEST(LargeSvd, FindsZeros) {
  VectorXd values = from_to(80, 1e-3, 1.0);
  for (Index k = 10; k < 50; ++k) values(k) = 0.0;
  expect_found(80, 80, values);
  expect_found(100, 80, values);
  expect_found(50, 50, VectorXd::Unit(50, 7));
}

// Squares of such entries overflow, or are zero.
TEST(LargeSvd, InAnyUnits) {
  expect_found(64, 50, from_to(50, 0.01, 1.0), 1e200);
  expect_found(64, 50, from_to(50, 0.01, 1.0), 1e-200);
}

// Bidiagonal already, with zeros inside and at the end of the diagonal: both ways of taking it apart.
TEST(LargeSvd, TakesBidiagonalMatricesApart) {
  const Index n = 48;
  MatrixXd m = MatrixXd::Zero(n, n);
  for (Index k = 0; k < n; ++k) {
    m(k, k) = k == 20 || k == n - 1 ? 0.0 : 1.0 + 0.1 * double(k);
    if (k + 1 < n) m(k, k + 1) = 0.5;
  }
  const Svd svd = large_svd(m, SingularVectors::full), jacobi = jacobi_svd(m, SingularVectors::none);
  EXPECT_LT((svd.values - jacobi.values).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((svd.u * svd.values.asDiagonal() * svd.v.transpose() - m).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT(svd.values(n - 1), 1e-14);
  EXPECT_EQ(large_svd(MatrixXd::Zero(50, 50), SingularVectors::none).values, VectorXd(VectorXd::Zero(50)));
}

TEST(LargeSvd, CanBeStopped) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  EXPECT_THROW(large_svd(MatrixXd::Identity(50, 50), SingularVectors::none), Stopped);
}

}  // namespace
}  // namespace driftless::large_svd_test
