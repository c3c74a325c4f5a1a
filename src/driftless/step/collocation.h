// Radau IIA as a family with variable stage number: constants, and the collocation polynomial of a step.
#pragma once

#include "driftless/tableau/eigenbasis.h"
#include "driftless/tableau/families.h"

namespace driftless {

struct RadauConstants {
  int stages = 0;
  Vector c;
  Matrix a, a_squared;
  Matrix omega;        // A^-1
  Eigenbasis basis;    // complex eigenvectors scaled to last component 1, as in RADAU5
  double gamma = 0.0;  // the real eigenvalue of A^-1
  Vector error;        // weights of the stage increments in the embedded estimate, times gamma
  Vector lagrange;     // 1 / (c_j prod_{k != j} (c_j - c_k))
};

// Odd numbers of stages (one real eigenvalue); computed once per number, safe from any thread.
const RadauConstants& radau_constants(int stages);

// Weights L_j(tau), j = 1..s, of the polynomial through (0, 0) and (c_j, Z_j).
void collocation_weights(ConstSpan c, double tau, Span weights);
// The same for the nodes of Radau IIA, without divisions.
void collocation_weights(const RadauConstants& radau, double tau, Span weights);
// The same through the (c_j, Z_j) alone: for multipliers, which have no value at 0 that the stages would meet.
void stage_weights(ConstSpan c, double tau, Span weights);

}  // namespace driftless
