#include "driftless/tableau/explicit_pair.h"

#include <algorithm>

#include "driftless/tableau/families.h"

namespace driftless {

namespace {

// The proper stages of a tableau as the leading part of a pair with `extra` stages for its interpolant.
ExplicitPair leading_part(const char* name, int order, const Tableau& tableau, std::size_t stages, std::size_t extra) {
  const std::size_t all = stages + 1 + extra;
  ExplicitPair pair{.name = name,
                    .order = order,
                    .a = Matrix(all, all),
                    .c = Vector(all),
                    .stages = stages,
                    .error = {},
                    .error_order = 0,
                    .coarse_error = {},
                    .fine_error = {},
                    .stability_radius = 0.0,
                    .nested = {},
                    .interpolant_degree = 0};
  for (std::size_t i = 0; i < stages; ++i) {
    for (std::size_t j = 0; j < i; ++j) pair.a(i, j) = tableau.a(i, j);
    pair.a(stages, i) = tableau.b[i];
    pair.c[i] = tableau.c[i];
  }
  pair.c[stages] = 1.0;
  return pair;
}

// The rows that every interpolant with the values and slopes of both ends begins with: x_{n+1} - x_n,
// h k_0 - (x_{n+1} - x_n), and what makes the slope at the end right; then `rows` more.
void begin_nested(ExplicitPair& pair, std::size_t rows) {
  const std::size_t s = pair.stages;
  pair.nested = Matrix(3 + rows, pair.all_stages());
  for (std::size_t j = 0; j <= s; ++j) {
    const double b = j < s ? pair.a(s, j) : 0.0, at_begin = j == 0, at_end = j == s;
    pair.nested(0, j) = b;
    pair.nested(1, j) = at_begin - b;
    pair.nested(2, j) = b - at_end - (at_begin - b);
  }
  pair.interpolant_degree = 4 + static_cast<int>(rows) - 1;
}

struct Entry {
  std::size_t stage;  // counted from 1, as printed
  double value;
};
void set_row(Matrix& matrix, std::size_t row, std::initializer_list<Entry> entries) {
  for (const auto& [stage, value] : entries) matrix(row, stage - 1) = value;
}

ExplicitPair make_dopri5() {
  const Tableau tableau = dopri5();
  ExplicitPair pair = leading_part("dopri5", 5, tableau, 6, 0);
  for (std::size_t j = 0; j < 7; ++j) pair.error.push_back(tableau.b[j] - (*tableau.embedded)[j]);
  pair.error_order = 4;
  pair.stability_radius = 3.25;
  begin_nested(pair, 1);
  set_row(pair.nested, 3,
          {{1, -12715105075.0 / 11282082432.0},
           {3, 87487479700.0 / 32700410799.0},
           {4, -10690763975.0 / 1880347072.0},
           {5, 701980252875.0 / 199316789632.0},
           {6, -1453857185.0 / 822651844.0},
           {7, 69997945.0 / 29380423.0}});
  return pair;
}

// Weights of the divided difference of the slopes of some stages, the largest of them 1 in size. It vanishes for all
// polynomials of lower degree; where the stages have the order for it, it is an error estimate.
Vector divided_difference(const ExplicitPair& pair, std::initializer_list<std::size_t> stages) {
  Vector weights(pair.stages, 0.0);
  double largest = 0.0;
  for (const std::size_t i : stages) {
    weights[i] = 1.0;
    for (const std::size_t j : stages)
      if (j != i) weights[i] /= pair.c[i] - pair.c[j];
    largest = std::max(largest, std::abs(weights[i]));
  }
  for (double& w : weights) w /= largest;
  return weights;
}

// Interpolant and estimate of DOP853, Hairer, Norsett & Wanner I, section II.6.
ExplicitPair make_dop853() {
  const Tableau tableau = dop853();
  ExplicitPair pair = leading_part("dop853", 8, tableau, 12, 3);
  for (std::size_t j = 0; j < 12; ++j) pair.error.push_back(tableau.b[j] - (*tableau.embedded)[j]);
  pair.error.push_back(0.0);
  pair.error_order = 5;
  // The method of order 3 on the stages 1, 9 and 12.
  const double c9 = tableau.c[8], b9 = (0.5 - 1.0 / 3.0) / (c9 - c9 * c9), b12 = 0.5 - b9 * c9;
  pair.coarse_error = tableau.b;
  pair.coarse_error[0] -= 1.0 - b9 - b12;
  pair.coarse_error[8] -= b9;
  pair.coarse_error[11] -= b12;
  // The one method of order 6 that the twelve stages hold beside their own.
  pair.fine_error = divided_difference(pair, {0, 5, 6, 7, 8, 9, 10});
  pair.stability_radius = 6.1;
  pair.c[13] = 0.1;
  pair.c[14] = 0.2;
  pair.c[15] = 7.0 / 9.0;
  set_row(pair.a, 13,
          {{1, 5.61675022830479523392909219681e-2},
           {7, 2.53500210216624811088794765333e-1},
           {8, -2.46239037470802489917441475441e-1},
           {9, -1.24191423263816360469010140626e-1},
           {10, 1.5329179827876569731206322685e-1},
           {11, 8.20105229563468988491666602057e-3},
           {12, 7.56789766054569976138603589584e-3},
           {13, -8.298e-3}});
  set_row(pair.a, 14,
          {{1, 3.18346481635021405060768473261e-2},
           {6, 2.83009096723667755288322961402e-2},
           {7, 5.35419883074385676223797384372e-2},
           {8, -5.49237485713909884646569340306e-2},
           {11, -1.08347328697249322858509316994e-4},
           {12, 3.82571090835658412954920192323e-4},
           {13, -3.40465008687404560802977114492e-4},
           {14, 1.41312443674632500278074618366e-1}});
  set_row(pair.a, 15,
          {{1, -4.28896301583791923408573538692e-1},
           {6, -4.69762141536116384314449447206},
           {7, 7.68342119606259904184240953878},
           {8, 4.06898981839711007970213554331},
           {9, 3.56727187455281109270669543021e-1},
           {13, -1.39902416515901462129418009734e-3},
           {14, 2.9475147891527723389556272149},
           {15, -9.15095847217987001081870187138}});
  begin_nested(pair, 4);
  set_row(pair.nested, 3,
          {{1, -0.84289382761090128651353491142e+1},
           {6, 0.56671495351937776962531783590},
           {7, -0.30689499459498916912797304727e+1},
           {8, 0.23846676565120698287728149680e+1},
           {9, 0.21170345824450282767155149946e+1},
           {10, -0.87139158377797299206789907490},
           {11, 0.22404374302607882758541771650e+1},
           {12, 0.63157877876946881815570249290},
           {13, -0.88990336451333310820698117400e-1},
           {14, 0.18148505520854727256656404962e+2},
           {15, -0.91946323924783554000451984436e+1},
           {16, -0.44360363875948939664310572000e+1}});
  set_row(pair.nested, 4,
          {{1, 0.10427508642579134603413151009e+2},
           {6, 0.24228349177525818288430175319e+3},
           {7, 0.16520045171727028198505394887e+3},
           {8, -0.37454675472269020279518312152e+3},
           {9, -0.22113666853125306036270938578e+2},
           {10, 0.77334326684722638389603898808e+1},
           {11, -0.30674084731089398182061213626e+2},
           {12, -0.93321305264302278729567221706e+1},
           {13, 0.15697238121770843886131091075e+2},
           {14, -0.31139403219565177677282850411e+2},
           {15, -0.93529243588444783865713862664e+1},
           {16, 0.35816841486394083752465898540e+2}});
  set_row(pair.nested, 5,
          {{1, 0.19985053242002433820987653617e+2},
           {6, -0.38703730874935176555105901742e+3},
           {7, -0.18917813819516756882830838328e+3},
           {8, 0.52780815920542364900561016686e+3},
           {9, -0.11573902539959630126141871134e+2},
           {10, 0.68812326946963000169666922661e+1},
           {11, -0.10006050966910838403183860980e+1},
           {12, 0.77771377980534432092869265740},
           {13, -0.27782057523535084065932004339e+1},
           {14, -0.60196695231264120758267380846e+2},
           {15, 0.84320405506677161018159903784e+2},
           {16, 0.11992291136182789328035130030e+2}});
  set_row(pair.nested, 6,
          {{1, -0.25693933462703749003312586129e+2},
           {6, -0.15418974869023643374053993627e+3},
           {7, -0.23152937917604549567536039109e+3},
           {8, 0.35763911791061412378285349910e+3},
           {9, 0.93405324183624310003907691704e+2},
           {10, -0.37458323136451633156875139351e+2},
           {11, 0.10409964950896230045147246184e+3},
           {12, 0.29840293426660503123344363579e+2},
           {13, -0.43533456590011143754432175058e+2},
           {14, 0.96324553959188282948394950600e+2},
           {15, -0.39177261675615439165231486172e+2},
           {16, -0.14972683625798562581422125276e+3}});
  return pair;
}

}  // namespace

ExplicitPair ExplicitPair::with_terms() && {
  auto append = [&](std::size_t count, auto&& weight) {
    row_begin.push_back(terms.size());
    for (std::size_t j = 0; j < count; ++j)
      if (weight(j) != 0.0) terms.push_back({j, weight(j)});
  };
  for (std::size_t i = 0; i < all_stages(); ++i) append(i, [&](std::size_t j) { return a(i, j); });
  for (const Vector* weights : {&error, &coarse_error, &fine_error})
    append(weights->size(), [&](std::size_t j) { return (*weights)[j]; });
  for (const Vector& weights : differences) append(weights.size(), [&](std::size_t j) { return weights[j]; });
  row_begin.push_back(terms.size());
  return std::move(*this);
}

Vector ExplicitPair::interpolant_weights(double theta) const {
  Vector weights(all_stages(), 0.0);
  for (std::size_t j = 0; j < weights.size(); ++j)
    for (std::size_t k = nested.rows(); k-- > 0;)
      weights[j] = (k % 2 == 0 ? theta : 1.0 - theta) * (nested(k, j) + weights[j]);
  return weights;
}

const ExplicitPair& dopri5_pair() {
  static const ExplicitPair pair = make_dopri5().with_terms();
  return pair;
}
const ExplicitPair& dop853_pair() {
  static const ExplicitPair pair = make_dop853().with_terms();
  return pair;
}

}  // namespace driftless
