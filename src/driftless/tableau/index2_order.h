// Orders of Runge-Kutta methods for u' = f(u, lambda), 0 = g(u) of index 2, from the order conditions on rooted trees.
#pragma once

#include "driftless/tableau/tableau.h"

namespace driftless {

// Consistent start. The local error of u is O(h^{u+1}), that of
// lambda O(h^lambda). A number equal to `searched` means "at least".
struct Index2Orders {
  int u = 0;                   // of the Runge-Kutta step (2.5) alone
  int u_projected = 0;         // after the projection (2.7) onto g(u) = 0
  int u_projected_linear = 0;  // the same if f is linear in lambda, as in mechanics
  int lambda = 0;              // of lambda_{n+1} = R(infinity) lambda_n + b^T A^{-1} Lambda
  int searched = 0;
};

// For tableaux with invertible A; Misuse otherwise. `highest` <= 7; the number of trees grows tenfold with every order.
Index2Orders index2_orders(const Tableau& tableau, int highest = 6);

struct HalfExplicitOrders {
  int u = 0;
  int lambda = 0;  // r of (B3'): Lambda_s - lambda(t + h) = O(h^r)
  int searched = 0;
};

// For explicit tableaux with (B1'); Misuse otherwise.
HalfExplicitOrders half_explicit_orders(const Tableau& tableau, int highest = 6);

}  // namespace driftless
