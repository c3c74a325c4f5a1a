// The flexible slider crank in the index-2 form of the test set: the velocity constraint G v + g_t = 0 alone, so that
// the published start keeps its position error of 2e-10 for ever. Its velocities are made consistent by the smallest
// change in the norm of the mass matrix. Digits trusted to 19 places for that start; the published reference agrees
// with them to 10 digits in q and 8 in v.
#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"
#include "testset/slider_crank.h"

namespace driftless::testset {

namespace {

// u = (q, v), Gamma = diag(I, M).
struct SliderCrankVelocity {
  static constexpr SliderCrank crank{};

  template <class T>
  static In<T> half(In<T> u, std::size_t first) {
    return std::span<const T>(u.begin(), u.end()).subspan(first, 7);
  }

  void gamma(auto u, auto t, auto out) const {
    using T = typename decltype(out)::value_type;
    T storage[49] = {};
    crank.mass(half<T>(u, 0), t, OutMatrix<T>(std::span<T>(storage), 7, 7));
    for (std::size_t j = 0; j < 7; ++j) {
      out(j, j) = 1.0;
      for (std::size_t i = 0; i < 7; ++i) out(7 + i, 7 + j) = storage[i + 7 * j];
    }
  }
  void f(auto u, auto lambda, auto t, auto out) const {
    using std::cos, std::sin;
    using T = typename decltype(out)::value_type;
    const In<T> q = half<T>(u, 0), v = half<T>(u, 7);
    const Out<T> force(std::span<T>(out.begin(), out.end()).subspan(7));
    for (std::size_t i = 0; i < 7; ++i) out[i] = v[i];
    crank.force(q, v, t, force);
    const T rod = crank.L2 + q[6];
    force[0] -= crank.L1 * (cos(q[0]) * lambda[0] + sin(q[0]) * lambda[1]) + lambda[2];
    force[1] -= rod * (cos(q[1]) * lambda[0] + sin(q[1]) * lambda[1]);
    force[2] -= lambda[1];
    force[6] -= sin(q[1]) * lambda[0] - cos(q[1]) * lambda[1];
  }
  void g(auto u, auto, auto out) const {
    using std::cos, std::sin;
    using T = typename decltype(out)::value_type;
    const In<T> q = half<T>(u, 0), v = half<T>(u, 7);
    const T rod = crank.L2 + q[6];
    out[0] = crank.L1 * cos(q[0]) * v[0] + rod * cos(q[1]) * v[1] + sin(q[1]) * v[6];
    out[1] = v[2] + crank.L1 * sin(q[0]) * v[0] + rod * sin(q[1]) * v[1] - cos(q[1]) * v[6];
    out[2] = v[0] - crank.Omega;
  }
};

Index2::Shape crank_shape() {
  Index2::Shape names{.u_names = slider_crank_coordinates(),
                      .lambda_names = {"lambda1", "lambda2", "lambda3"},
                      .constraint_names = slider_crank_constraints()};
  for (const auto& name : slider_crank_coordinates()) names.u_names.push_back(name + "'");
  for (auto& name : names.constraint_names) name += " velocity";
  return names;
}

}  // namespace

Problem slider_crank_flexible_b_problem() {
  return {.title = "Slider crank with flexible rod, velocity constraint, published start",
          .source = "Simeon 1998, CWI/Bari test set for initial value problems",
          .notes = "Position constraints are violated by 2e-10 from the start, which this form keeps.",
          .equations = index2(SliderCrankVelocity{}, crank_shape()),
          .start = {0.0, 0.0, 0.450016933, 0.0, 0.0, 0.103339863e-4, 0.169327969e-4, 150.0, -74.995767039694513,
                    -2.6893867200000001e-06, 0.444896112581599, 0.0046343393192387426, -1.78591076e-06,
                    -2.6893867200000001e-06, -6.5527465619862437e-08, 382.4589509554948, -4.6359378247724407e-09},
          .references = {{0.1,
                          {1.5000000000000000000e+1, -3.3117349882562992870e-1, 1.6973733284307213687e-1,
                           1.8931928997009404928e-4, 2.3757512499866390164e-5, -5.3238967707486071538e-6,
                           -8.3633132788077736241e-6, 1.5000000000000000000e+2, 6.0253467551318349315e+1,
                           -8.7531163267041625526e+0, -3.0055413998525570724e-2, -5.5004318013328443978e-3,
                           4.9741117946464800355e-4, 1.1055599936031178807e-3, -6.2329358327736772847e+1,
                           -1.6379209932372472589e+2, 2.5298579470003066157e+1}}},
          .trusted_digits = 19};
}

}  // namespace driftless::testset
