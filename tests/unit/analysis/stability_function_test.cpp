// R(Z) for matrices, against R(z) in closed form and against steps.
#include "driftless/analysis/geometric/stability_function.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/tableau/families.h"

namespace driftless::stability_function_test {
namespace {

Matrix scalar(double z) {
  Matrix m(1, 1);
  m(0, 0) = z;
  return m;
}

TEST(StabilityFunction, HasTheClosedFormsOfFamilies) {
  for (const double z : {-0.01, -0.5, -3.0, 0.4}) {
    EXPECT_NEAR((*stability_function(implicit_euler(), scalar(z)))(0, 0), 1.0 / (1.0 - z), 1e-14);
    EXPECT_NEAR((*stability_function(gauss(1), scalar(z)))(0, 0), (1.0 + z / 2.0) / (1.0 - z / 2.0), 1e-14);
    EXPECT_NEAR((*stability_function(radau_iia(2), scalar(z)))(0, 0),
                (1.0 + z / 3.0) / (1.0 - 2.0 * z / 3.0 + z * z / 6.0), 1e-14);
    EXPECT_NEAR((*stability_function(hem3(), scalar(z)))(0, 0), 1.0 + z + z * z / 2.0 + z * z * z / 6.0, 1e-14);
  }
  EXPECT_FALSE(stability_function(implicit_euler(), scalar(1.0)));
  EXPECT_THROW(stability_function(implicit_euler(), Matrix(1, 2)), Misuse);
}

// A Jordan block: R(z) on the diagonal and R'(z) above it.
TEST(StabilityFunction, OfAJordanBlockHasTheDerivative) {
  Matrix z(2, 2);
  z(0, 0) = z(1, 1) = -0.7;
  z(0, 1) = 1.0;
  const Matrix r = *stability_function(implicit_euler(), z);
  EXPECT_NEAR(r(0, 0), 1.0 / 1.7, 1e-14);
  EXPECT_NEAR(r(0, 1), 1.0 / (1.7 * 1.7), 1e-14);
  EXPECT_NEAR(r(1, 0), 0.0, 1e-15);
}

}  // namespace
}  // namespace driftless::stability_function_test
