#include "driftless/tableau/families.h"
#include "driftless/tableau/families/quadrature.h"

namespace driftless {
namespace {

constexpr const char* brasey_hairer =
    "V. Brasey, E. Hairer, Half-explicit Runge-Kutta methods for differential-algebraic systems of index 2, SIAM J. "
    "Numer. "
    "Anal. 30 (1993)";

}  // namespace

Tableau hem3() {
  ExactTableau exact{SmallMatrix<Quad>(3), {0, Quad(3) / 4, Quad(1) / 4}, {0, Quad(1) / 3, 1}};
  exact.a(1, 0) = Quad(1) / 3;
  exact.a(2, 0) = -1;
  exact.a(2, 1) = 2;
  return round_once("hem3", "HEM3", brasey_hairer, exact);
}

Tableau hem4() {
  const Quad r = square_root(6);
  ExactTableau exact{SmallMatrix<Quad>(5),
                     {0, 0, (16 - r) / 36, (16 + r) / 36, Quad(1) / 9},
                     {0, Quad(3) / 10, (4 - r) / 10, (4 + r) / 10, 1}};
  exact.a(1, 0) = Quad(3) / 10;
  exact.a(2, 0) = (1 + r) / 30;
  exact.a(2, 1) = (11 - 4 * r) / 30;
  exact.a(3, 0) = (-79 - 31 * r) / 150;
  exact.a(3, 1) = (-1 - 4 * r) / 30;
  exact.a(3, 2) = (24 + 11 * r) / 25;
  exact.a(4, 0) = (14 + 5 * r) / 6;
  exact.a(4, 1) = (-8 + 7 * r) / 6;
  exact.a(4, 2) = (-9 - 7 * r) / 4;
  exact.a(4, 3) = (9 - r) / 4;
  return round_once("hem4", "HEM4", brasey_hairer, exact);
}

// The 16 published digits satisfy the conditions of order 5 in u and of r = 3 to 1.5e-12 only. These are the nearest
// numbers that satisfy them to 1e-31 (Gauss-Newton steps of least length in 33 digits, a_21, a_31, a_32, c_6, c_7, c_8
// and zeros kept); no coefficient moved by more than 1.7e-13.
Tableau hem5() {
  Matrix a(8, 8);
  a(1, 0) = 0.1;
  a(2, 0) = 0.0375;
  a(2, 1) = 0.1125;
  a(3, 0) = 0.32221692362160630828280;
  a(3, 1) = -1.1888833229876134195340;
  a(3, 2) = 1.2281451340233703547734;
  a(4, 0) = -0.035011238981299966714886;
  a(4, 1) = 0.37254206010861813784683;
  a(4, 2) = -0.27210535355820447312905;
  a(4, 3) = 0.019930375785750760998606;
  a(5, 0) = -0.55765470550419212649542;
  a(5, 1) = 1.3673072896458914083302;
  a(5, 2) = -1.7322363604607100807753;
  a(5, 3) = 0.45877720074675300952912;
  a(5, 4) = 0.96380657557225778941143;
  a(6, 0) = 0.086545171935642824400602;
  a(6, 1) = -0.088100828479454052451743;
  a(6, 2) = 0.19812755473290757508325;
  a(6, 3) = -0.46454226793310960513248;
  a(6, 4) = 0.16151700911099957300737;
  a(6, 5) = 0.90645336063301368509300;
  a(7, 3) = 3.6244772487538767332755;
  a(7, 4) = -0.46177241891829485921647;
  a(7, 5) = -3.1980246281643325508320;
  a(7, 6) = 1.0353197983287506767729;
  Tableau tableau = from_numbers("hem5", a,
                                 {0, 0, 0, 0.24677606676367869065451, 0.21065940874897316728741,
                                  0.17692181491250154197664, 0.30644464441479327109620, 0.059198065160053328985239},
                                 {0, 0.1, 0.15, 0.36147873465736324352223, 0.085355843354864459001501, 0.5, 0.8, 1});
  tableau.title = "HEM5";
  tableau.citation = "V. Brasey, thesis, Geneva 1994; digits refined from the order conditions";
  return tableau;
}

}  // namespace driftless
