// Two index-1 problems with known logarithmic norms (Definition 3.1 of Higueras and Soderlind 2003), P = diag(1, 1, 0,
// 0). Source: constructed for this test set. Digits trusted to 28 (linear, a closed form) and 25 places (nonlinear).
#include <cmath>

#include "driftless/equations/index1_enclosed.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

// In the 2-norm M_P = -3, L_Q = 1, L_P = 0.5, M_Q = -3: solutions approach at least like exp(-17/6 t).
struct LognormLinear {
  void F(auto y, auto z, auto, auto out) const {
    out[0] = -3.0 * y[0] + y[1] + 0.6 * z[0] + 0.8 * z[1];
    out[1] = -y[0] - 3.0 * y[1] - 0.8 * z[0] + 0.6 * z[1];
  }
  void G(auto y, auto z, auto, auto out) const {
    out[0] = 0.5 * y[0] - 4.0 * z[0] + z[1];
    out[1] = 0.5 * y[1] + z[0] - 4.0 * z[1];
  }
};

// y' = R y with R = A11 - A12 A22^-1 A21 = [r11 r12; r21 r22], whose eigenvalues are s +- i w.
Vector linear_exact(double t) {
  constexpr double r11 = -3.0 + 3.2 / 30.0, r12 = 1.0 + 3.8 / 30.0, r21 = -1.0 - 2.6 / 30.0, r22 = -3.0 + 1.6 / 30.0;
  constexpr double s = 0.5 * (r11 + r22);
  const double w = std::sqrt(r11 * r22 - r12 * r21 - s * s);
  const double decay = std::exp(s * t), c = decay * std::cos(w * t), d = decay * std::sin(w * t) / w;
  const double y1 = c + d * (r11 - s - r12), y2 = -c + d * (r21 - (r22 - s));  // from y(0) = (1, -1)
  return {y1, y2, (4.0 * y1 + y2) / 30.0, (y1 + 4.0 * y2) / 30.0};
}

// In the 2-norm M_P = -2, L_Q = 1, L_P = 0.5, M_Q = -2: solutions approach at least like exp(-1.75 t).
struct LognormNonlinear {
  void F(auto y, auto z, auto, auto out) const {
    using std::sin;
    out[0] = -3.0 * y[0] + sin(y[0]) + 0.6 * sin(z[0]) + 0.8 * sin(z[1]);
    out[1] = -3.0 * y[1] + sin(y[1]) - 0.8 * sin(z[0]) + 0.6 * sin(z[1]);
  }
  void G(auto y, auto z, auto, auto out) const {
    using std::atan;
    out[0] = -2.0 * z[0] - z[0] * z[0] * z[0] + 0.3 * atan(y[0]) + 0.4 * atan(y[1]);
    out[1] = -2.0 * z[1] - z[1] * z[1] * z[1] - 0.4 * atan(y[0]) + 0.3 * atan(y[1]);
  }
};

PartitionedShape lognorm_shape() {
  return {.y_names = {"y1", "y2"}, .z_names = {"z1", "z2"}, .constraint_names = {"G1", "G2"}};
}

}  // namespace

Problem lognorm_linear_problem() {
  return {.title = "Linear index-1 problem with known logarithmic norms",
          .source = "constructed for this test set",
          .notes =
              "2-norm: M_P = -3, L_Q = 1, L_P = 0.5, M_Q = -3. Maximum norm: M_P = -2, L_Q = 1.4, L_P = 0.5, M_Q = -3.",
          .equations = enclosed_partitioned(LognormLinear{}, lognorm_shape()),
          .start = {1.0, -1.0, 0.1, -0.1},
          .references = {{1.0,
                          {-0.02377994920990419333416002506, -0.07037109691189662502281124014,
                           -0.005516363125050446611981711346, -0.01017547789524968978084683285}}},
          .trusted_digits = 28,
          .exact = linear_exact};
}

Problem lognorm_nonlinear_problem(int solution) {
  const bool first = solution == 1;
  Vector start = first ? Vector{1.000000000000000000000000e+0, 2.000000000000000000000000e+0,
                                3.224727163941420014827846e-1, 8.992311422988205792231870e-3}
                       : Vector{-1.000000000000000000000000e+0, 5.000000000000000000000000e-1,
                                -2.507232221105018998442113e-2, 2.212141400986085867983030e-1};
  std::vector<Reference> references =
      first ? std::vector<Reference>{{1.0,
                                      {1.644781260094027400983801e-1, 1.950500287035569411679142e-1,
                                       6.285491296023667997414308e-2, -3.708960278856786512041960e-3}},
                                     {2.0,
                                      {2.596759893410564186465186e-2, 1.897041520590761968260023e-2,
                                       7.687665509720948330852402e-3, -2.347125431477349143344517e-3}}}
            : std::vector<Reference>{{1.0,
                                      {-1.048851943405370359494124e-1, 8.816927055759135835192177e-2,
                                       1.912903046196928137418045e-3, 3.407212213100003020819450e-2}},
                                     {2.0,
                                      {-1.021057318521556986320755e-2, 1.394616709496084136230641e-2,
                                       1.257518859078011325296321e-3, 4.133797810969132166131540e-3}}};
  return {.title = fmt::format("Nonlinear index-1 problem with known logarithmic Lipschitz constants, solution {}",
                               solution),
          .source = "constructed for this test set",
          .notes =
              "2-norm: M_P = -2, L_Q = 1, L_P = 0.5, M_Q = -2. Maximum norm: M_P = -2, L_Q = 1.4, L_P = 0.7, M_Q = -2. "
              "The two solutions approach like exp(-1.75 t) in the 2-norm and like exp(-1.51 t) in the maximum norm.",
          .equations = enclosed_partitioned(LognormNonlinear{}, lognorm_shape()),
          .start = std::move(start),
          .references = std::move(references),
          .trusted_digits = 25};
}

}  // namespace driftless::testset
