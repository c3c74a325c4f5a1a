// The methods that come with the library; one file each in
// families/. Coefficients are correct to the last bit of a double.
#pragma once

#include "driftless/tableau/tableau.h"

namespace driftless {

inline constexpr int most_stages = 10;  // of the four families below

// Fully implicit families; Misuse unless 1 <= stages <= most_stages (Lobatto IIIC: from 2).
Tableau gauss(int stages);
Tableau radau_ia(int stages);
Tableau radau_iia(int stages);
Tableau lobatto_iiic(int stages);

Tableau implicit_euler();
Tableau collocation2();  // 2 stages, order 3, R(infinity) = 7/33: of stage order 2, and it remembers its multiplier

// Singly diagonally implicit methods.
Tableau sdirk2();           // 2 stages, order 2, L-stable, stiffly accurate
Tableau sdirk2_half();      // 2 stages, order 2, R(infinity) = 1/2
Tableau sdirk3_crouzeix();  // 2 stages, order 3, R(infinity) = 1 - sqrt(3)
Tableau sdirk3();           // 3 stages, order 3, L-stable, stiffly accurate (Alexander)
Tableau sdirk4();           // 5 stages, order 4, L-stable, stiffly accurate (Hairer & Wanner), embedded order 3

// Half-explicit methods for index 2 (Brasey & Hairer).
Tableau hem3();
Tableau hem4();
Tableau hem5();

// Explicit pairs of Dormand & Prince; the weights of lower order are in `embedded`.
Tableau dopri5();  // 7 stages, order 5(4)
Tableau dop853();  // 12 stages, order 8(5)

}  // namespace driftless
