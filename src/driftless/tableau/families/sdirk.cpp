#include "driftless/tableau/families.h"
#include "driftless/tableau/families/quadrature.h"

namespace driftless {
namespace {

// Two stages with nodes gamma, 1 - gamma and equal weights: order 2 for every gamma, since b^T c = 1/2.
ExactTableau symmetric_two_stages(Quad gamma) {
  ExactTableau exact{SmallMatrix<Quad>(2), {Quad(1) / 2, Quad(1) / 2}, {gamma, 1 - gamma}};
  exact.a(0, 0) = exact.a(1, 1) = gamma;
  exact.a(1, 0) = 1 - 2 * gamma;
  return exact;
}

// The zero 0.4358... of x^3 - 3 x^2 + 3/2 x - 1/6, for which the 3-stage method is L-stable.
Quad alexander_gamma() {
  Quad x = 0.4358665215084590;
  for (int i = 0; i < 3; ++i) {
    x -= (((x - 3) * x + Quad(3) / 2) * x - Quad(1) / 6) / ((3 * x - 6) * x + Quad(3) / 2);
  }
  return x;
}

// b = last row of A, c = row sums.
ExactTableau stiffly_accurate(SmallMatrix<Quad> a) {
  const std::size_t s = a.size();
  ExactTableau exact{std::move(a), std::vector<Quad>(s), std::vector<Quad>(s, Quad(0))};
  for (std::size_t j = 0; j < s; ++j) exact.b[j] = exact.a(s - 1, j);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j) exact.c[i] += exact.a(i, j);
  return exact;
}

}  // namespace

Tableau implicit_euler() {
  SmallMatrix<Quad> a(1);
  a(0, 0) = 1;
  return round_once("implicit-euler", "implicit Euler", "Hairer & Wanner II, IV.3", stiffly_accurate(a));
}

// gamma = 1 - 1/sqrt(2): the smaller zero of 1/2 - 2 gamma + gamma^2, which is the numerator's z^2 coefficient of R(z).
Tableau sdirk2() {
  const Quad gamma = 1 - 1 / square_root(2);
  SmallMatrix<Quad> a(2);
  a(0, 0) = a(1, 1) = gamma;
  a(1, 0) = 1 - gamma;
  return round_once(
      "sdirk-2", "SDIRK of order 2 (L-stable)",
      "R. Alexander, Diagonally implicit Runge-Kutta methods for stiff ODE's, SIAM J. Numer. Anal. 14 (1977)",
      stiffly_accurate(a));
}

// A 2-stage SDIRK of order 2 has R(z) = (1 + (1 - 2 gamma) z + (1/2 - 2 gamma + gamma^2) z^2) / (1 - gamma z)^2, hence
// R(infinity) = 1 - 2/gamma + 1/(2 gamma^2). R(infinity) = 1/2 gives gamma^2 - 4 gamma + 1 = 0, gamma = 2 - sqrt(3);
// A-stable since gamma >= 1/4 (Hairer & Wanner II, IV.6).
Tableau sdirk2_half() {
  return round_once("sdirk-2-half", "SDIRK of order 2 with R(infinity) = 1/2",
                    "two-stage family with nodes gamma, 1 - gamma of Hairer & Wanner II, IV.6; gamma = 2 - sqrt(3)",
                    symmetric_two_stages(2 - square_root(3)));
}

Tableau sdirk3_crouzeix() {
  return round_once(
      "sdirk-3-crouzeix", "Crouzeix's SDIRK of order 3",
      "M. Crouzeix, Sur l'approximation des equations differentielles operationnelles lineaires par des methodes "
      "de Runge-Kutta, thesis, Paris 1975; Hairer & Wanner II, IV.6",
      symmetric_two_stages((3 + square_root(3)) / 6));
}

Tableau sdirk3() {
  const Quad g = alexander_gamma();
  SmallMatrix<Quad> a(3);
  a(0, 0) = a(1, 1) = a(2, 2) = g;
  a(1, 0) = (1 - g) / 2;
  a(2, 0) = -((6 * g - 16) * g + 1) / 4;
  a(2, 1) = ((6 * g - 20) * g + 5) / 4;
  ExactTableau exact = stiffly_accurate(a);
  exact.c[2] = 1;
  return round_once(
      "sdirk-3", "Alexander's SDIRK of order 3 (L-stable)",
      "R. Alexander, Diagonally implicit Runge-Kutta methods for stiff ODE's, SIAM J. Numer. Anal. 14 (1977)", exact);
}

// Table IV.6.5 of Hairer & Wanner II, gamma = 1/4.
Tableau sdirk4() {
  const auto ratio = [](int numerator, int denominator) { return Quad(numerator) / denominator; };
  SmallMatrix<Quad> a(5);
  for (std::size_t i = 0; i < 5; ++i) a(i, i) = ratio(1, 4);
  a(1, 0) = ratio(1, 2);
  a(2, 0) = ratio(17, 50);
  a(2, 1) = ratio(-1, 25);
  a(3, 0) = ratio(371, 1360);
  a(3, 1) = ratio(-137, 2720);
  a(3, 2) = ratio(15, 544);
  a(4, 0) = ratio(25, 24);
  a(4, 1) = ratio(-49, 48);
  a(4, 2) = ratio(125, 16);
  a(4, 3) = ratio(-85, 12);
  Tableau tableau = round_once("sdirk-4", "Hairer & Wanner's SDIRK of order 4 (L-stable)",
                               "Hairer & Wanner II, table IV.6.5", stiffly_accurate(a));
  tableau.embedded = Vector{59.0 / 48.0, -17.0 / 96.0, 225.0 / 32.0, -85.0 / 12.0, 0.0};
  return tableau;
}

}  // namespace driftless
