// Constants along a reference solution: in a tube |P dx| <= r_P, |Q dx| <= r_Q around x(t), piece by piece in time,
// (3.23) of Higueras and Soderlind 2003. Bounds from them are stronger than those for a whole box.
#pragma once

#include "driftless/analysis/stability/lipschitz_constants.h"
#include "driftless/analysis/stability/perturbation_bound.h"
#include "driftless/analysis/stability/stability_report.h"
#include "driftless/integrate/solution.h"

namespace driftless {

// A curve in the space of states, smooth between the times of its grid.
struct ReferencePath {
  std::function<Vector(double t)> at;
  Vector grid;  // ascending, at least two times
};
// The dense output of a run. Misuse if it kept none.
ReferencePath path_of(const Solution& solution);

enum class BoundTheorem {
  product,      // Theorem 3.4, with the Schur complement S[P, f]
  elimination,  // Theorem 3.5, with the algebraic part eliminated
  best,         // the smaller of both, number by number and piece by piece
};

struct TubeOptions {
  Norm norm = Norm::two();
  double p_radius = 1e-3, q_radius = 1e-3;
  ConstraintScaling scaling = ConstraintScaling::newton;  // at the middle of each piece
  BoundTheorem theorem = BoundTheorem::best;
  double sharpness = 0.02;  // pieces are halved while the bound of the rate is above its value by more than this,
                            // relative to 1 + |rate|
  int halvings = 5;         // of a step of the grid, at most
  Refinement refinement = {.relative = 1e-2, .absolute = 1e-3, .boxes = 16};  // where one box says nothing
};

struct TubePiece {
  double begin = 0.0, end = 0.0;
  Box box = {};
  bool certain = false;           // the constants are proved; else they are samples
  SplitConstants constants = {};  // of the scaled constraint
  Majorant product = {}, elimination = {};
  double rate_at_middle = 0.0;  // without the tube and without the length of the piece
  Matrix constraint_scaling = {};
};

struct Tube {
  std::string norm;
  BoundTheorem theorem = BoundTheorem::best;
  double p_radius = 0.0, q_radius = 0.0;
  std::vector<TubePiece> pieces;

  bool certain() const;
  // exp(integral of the rate): by how much a deviation at the start can have grown at the end.
  double growth() const;
  std::vector<MajorantPiece> majorants() const;
};

Tube tube_along(const Index1& form, const ReferencePath& path, const TubeOptions& options = {});

// Bounds along a path in a tube that is made wide enough to contain them. `valid_until` is where the bounds leave the
// widest tube tried, if they do: later ones prove nothing.
struct TubeBound {
  Tube tube;
  std::vector<DeviationBound> bounds;
  double valid_until = 0.0;
  bool valid = false;  // up to the last time
  int widenings = 0;
};
TubeBound bound_along(const Index1& form, const ReferencePath& path, const Disturbance& disturbance,
                      std::span<const double> times, const TubeOptions& options = {});

}  // namespace driftless
