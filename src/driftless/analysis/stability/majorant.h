// The scalar inequality that deviations of an index-1 problem obey, whichever theorem it comes from:
//     D+ |P dx| <= rate |P dx| + gain |Qp| + |Pp|,     |Q dx| <= slope |P dx| + direct |Qp|.
#pragma once

#include <cmath>
#include <limits>

namespace driftless {

struct Majorant {
  double rate = 0.0;
  double gain = 0.0;
  double slope = 0.0;
  double direct = 0.0;

  bool is_finite() const {
    return !std::isnan(rate) && rate < std::numeric_limits<double>::infinity() && std::isfinite(gain) &&
           std::isfinite(slope) && std::isfinite(direct);
  }
};

// The four constants of Definition 3.1.
struct SplitConstants {
  double differential = 0.0;                 // M_P+[Pf]
  double differential_from_algebraic = 0.0;  // L_Q[Pf]
  double algebraic_from_differential = 0.0;  // L_P[Qf]
  double algebraic = 0.0;                    // M_Q+[Qf]

  bool index_1() const { return algebraic < 0.0; }
};

// (3.21): S[P, f] = M_P+[Pf] - L_Q[Pf] L_P[Qf] / M_Q+[Qf]; infinity unless M_Q+[Qf] < 0.
inline double schur_complement_constant(const SplitConstants& c) {
  if (!c.index_1()) return std::numeric_limits<double>::infinity();
  return c.differential + c.differential_from_algebraic * c.algebraic_from_differential / -c.algebraic;
}

// Theorem 3.4: (3.19) and (3.20).
inline Majorant majorant_of(const SplitConstants& c) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (!c.index_1()) return {infinity, infinity, infinity, infinity};
  return {schur_complement_constant(c), c.differential_from_algebraic / -c.algebraic,
          c.algebraic_from_differential / -c.algebraic, 1.0 / -c.algebraic};
}

// Number by number, which is right for Theorem 3.5 beside Theorem 3.4: each number of the one bounds that of the other.
inline Majorant smaller_of(const Majorant& a, const Majorant& b) {
  return {std::fmin(a.rate, b.rate), std::fmin(a.gain, b.gain), std::fmin(a.slope, b.slope),
          std::fmin(a.direct, b.direct)};
}

}  // namespace driftless
