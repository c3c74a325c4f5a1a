// n x n nodes, each with a capacitor to ground and a diode in series with a resistor to ground, neighbours joined by
// resistors; a source drives one corner through a resistor. All resistors and capacitors are 1:
//     v' = sum of (v_neighbour - v) - (v - d) [+ 5 sin t - v in the corner],   0 = v - d - 0.001 (exp(10 d) - 1),
// d being the voltage of the diode. Unknowns are (v_11, d_11, v_12, ...). Source: constructed for this test set.
// References by extrapolation of order 20 on v alone, with 33 digits, from two step sizes.
#include <cmath>

#include "driftless/equations/index1_model.h"
#include "testset/catalogue.h"
#include "testset/generators.h"
#include "testset/square_grid.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

struct DiodeGrid {
  SquareGrid grid;

  void f(auto x, auto t, auto out) const {
    using std::exp, std::sin;
    for (std::size_t node = 0; node < grid.cells(); ++node) {
      const auto &v = x[2 * node], &d = x[2 * node + 1];
      auto current = d - v;
      grid.for_each_neighbour(node, [&](std::size_t other) { current += x[2 * other] - v; });
      if (node == 0) current += 5.0 * sin(t) - v;
      out[2 * node] = current;
      out[2 * node + 1] = v - d - 0.001 * (exp(10.0 * d) - 1.0);
    }
  }
};

std::vector<Reference> diode_references(std::size_t n) {
  if (n != 5) return {};
  return {
      {3.0, {9.223489712696301649e-01, 5.829977954596363257e-01, 5.840558813847901321e-01, 4.724178984799481020e-01,
             3.023041769777881254e-01, 2.858660279443649694e-01, 1.369515954181710639e-01, 1.341276729147298458e-01,
             6.756905520375895646e-02, 6.662218730963976199e-02, 5.840558813847901321e-01, 4.724178984799481020e-01,
             3.988813402271631274e-01, 3.623957254210571860e-01, 2.166189224203565176e-01, 2.094939712943009544e-01,
             1.015326566434553174e-01, 9.981928278218249464e-02, 5.140597970344689627e-02, 5.074493074178262725e-02,
             3.023041769777881254e-01, 2.858660279443649694e-01, 2.166189224203565176e-01, 2.094939712943009544e-01,
             1.227466309082446658e-01, 1.204127808541469729e-01, 5.978283362723103998e-02, 5.897922004094130984e-02,
             3.127817533699512110e-02, 3.091589642999021826e-02, 1.369515954181710639e-01, 1.341276729147298458e-01,
             1.015326566434553174e-01, 9.981928278218249464e-02, 5.978283362723103998e-02, 5.897922004094130984e-02,
             3.024093966749898302e-02, 2.989253076363570514e-02, 1.637095374171279793e-02, 1.619515052209179397e-02,
             6.756905520375895646e-02, 6.662218730963976199e-02, 5.140597970344689627e-02, 5.074493074178262725e-02,
             3.127817533699512110e-02, 3.091589642999021826e-02, 1.637095374171279793e-02, 1.619515052209179397e-02,
             9.144581175718038730e-03, 9.049861187683620121e-03}},
      {10.0, {-1.756737989688262911e-01, -1.748478375322724585e-01, 2.580339945146818519e-01, 2.471891628235373835e-01,
              2.025473877250393498e-01,  1.964183018462563891e-01,  9.979714131324335990e-02, 9.812923932003119472e-02,
              4.467836961981888660e-02,  4.412373989383475211e-02,  2.580339945146818519e-01, 2.471891628235373835e-01,
              2.535595751937463178e-01,  2.431802053464572398e-01,  1.606816536247957820e-01, 1.568807346782715635e-01,
              7.643508178064716719e-02,  7.531147750514780720e-02,  3.439292286395971763e-02, 3.398814186411308085e-02,
              2.025473877250393498e-01,  1.964183018462563891e-01,  1.606816536247957820e-01, 1.568807346782715635e-01,
              9.615328510009354986e-02,  9.457845249329794719e-02,  4.624962261634330921e-02, 4.567075553091261316e-02,
              2.252139696100433261e-02,  2.227192719768385893e-02,  9.979714131324335990e-02, 9.812923932003119472e-02,
              7.643508178064716719e-02,  7.531147750514780720e-02,  4.624962261634330921e-02, 4.567075553091261316e-02,
              2.495383129031773532e-02,  2.467398517063554317e-02,  1.564731165993040215e-02, 1.547988850864253992e-02,
              4.467836961981888660e-02,  4.412373989383475211e-02,  3.439292286395971763e-02, 3.398814186411308085e-02,
              2.252139696100433261e-02,  2.227192719768385893e-02,  1.564731165993040215e-02, 1.547988850864253992e-02,
              1.353552540974697534e-02,  1.339222152516611631e-02}}};
}

}  // namespace

Equations diode_grid(std::size_t n) {
  const SquareGrid grid{n};
  std::vector<ConstantMatrix::Entry> differential;
  for (std::uint32_t node = 0; node < grid.cells(); ++node) differential.push_back({2 * node, 2 * node, 1.0});
  return index1(DiodeGrid{grid}, {.projector = {2 * grid.cells(), 2 * grid.cells(), std::move(differential)},
                                  .x_names = grid.names({"v", "d"}),
                                  .equation_names = grid.names({"currents of", "diode"})});
}

Vector diode_grid_start(std::size_t n) { return Vector(2 * n * n, 0.0); }

Problem diode_grid_problem(std::size_t n) {
  return {.title = fmt::format("Grid of {0} x {0} nodes with resistors, capacitors and diodes", n),
          .source = "constructed for this test set",
          .notes = "Index 1 with an algebraic unknown at each node; exponential characteristics.",
          .equations = diode_grid(n),
          .start = diode_grid_start(n),
          .references = diode_references(n),
          .trusted_digits = 18.0};
}

}  // namespace driftless::testset
