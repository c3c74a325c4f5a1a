// Bounds for the deviation dx between the solutions of P x' = f(x) and P x' = f(x) + p(t), (3.19) to (3.25) of Higueras
// and Soderlind 2003: the majorant inequality, integrated.
#pragma once

#include <span>
#include <vector>

#include "driftless/analysis/stability/altered_form.h"
#include "driftless/analysis/stability/index1_split.h"
#include "driftless/analysis/stability/majorant.h"

namespace driftless {

// A majorant that holds during [begin, end]. If the constraint was scaled for it, Qp has to be as well.
struct MajorantPiece {
  double begin, end;
  Majorant majorant;
  Matrix constraint_scaling = {};  // n x n on Im Q; empty: none
};

// The bound at one time. It is linear in what causes it, so its parts add up.
struct DeviationBound {
  double time = 0.0;
  double p = 0.0;                                                                // |P dx|
  double q = 0.0;                                                                // |Q dx|
  double p_from_start = 0.0, p_from_differential = 0.0, p_from_algebraic = 0.0;  // by dx(0), Pp, Qp: sum p
  double q_direct = 0.0;                                                         // by Qp at this very time
  double total() const { return p + q; }                                         // (3.25)
};

struct Disturbance {
  double start = 0.0;           // |P dx| at the first time
  PerturbationFunction p = {};  // none if empty
  double accuracy = 1e-8;       // relative, of its integrals
  int halvings = 18;            // of an interval, at most, to reach that
};

// |Pp| and |Qp| at a time, for whoever knows them better than by a projector that stays.
struct DisturbanceNorms {
  double p = 0.0, q = 0.0;
};
using DisturbanceNormsFunction = std::function<DisturbanceNorms(double t, const MajorantPiece& piece)>;

// At ascending times, the first being the start. Times beyond the last piece get infinite bounds. The estimated
// errors of the integrals are added.
std::vector<DeviationBound> bound_deviation(const Index1Split& split, std::span<const MajorantPiece> pieces,
                                            const Disturbance& disturbance, std::span<const double> times);

std::vector<DeviationBound> bound_deviation(std::span<const MajorantPiece> pieces, const Disturbance& disturbance,
                                            const DisturbanceNormsFunction& norms, std::span<const double> times);

// The same majorant at all times.
std::vector<DeviationBound> bound_deviation(const Index1Split& split, const Majorant& majorant,
                                            const Disturbance& disturbance, std::span<const double> times);

// The value that |P dx| cannot exceed for all times if |Pp| and |Qp| stay below these: infinite unless rate < 0.
double lasting_bound(const Majorant& majorant, double start, double largest_pp, double largest_qp);

}  // namespace driftless
