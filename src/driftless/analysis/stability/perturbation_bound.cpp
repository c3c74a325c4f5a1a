#include "driftless/analysis/stability/perturbation_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

using Norms = DisturbanceNorms;

// The integrals of exp(rate (end - s)) |Pp(s)| and the same of gain |Qp(s)| over [begin, end], by Simpson's rule on
// halves until it agrees with itself; the disagreement is added, as the norms may have kinks.
class WeightedIntegral {
 public:
  WeightedIntegral(const DisturbanceNormsFunction& norms, const Disturbance& how, const MajorantPiece& piece,
                   double end)
      : norms_(norms), how_(how), piece_(piece), end_(end) {}

  Norms over(double begin) {
    const double h = end_ - begin;
    Norms sum;
    const int parts = 1 + static_cast<int>(std::min(64.0, std::abs(piece_.majorant.rate) * h));
    for (int k = 0; k < parts; ++k) {
      const double a = begin + h * k / parts, b = begin + h * (k + 1) / parts;
      add(sum, refine(a, b, at(a), at(0.5 * (a + b)), at(b), how_.halvings));
    }
    return sum;
  }

 private:
  static void add(Norms& sum, const Norms& more) {
    sum.p += more.p;
    sum.q += more.q;
  }
  Norms at(double s) {
    Norms n = norms_(s, piece_);
    const double weight = std::exp(piece_.majorant.rate * (end_ - s));
    n.p *= weight;
    n.q *= weight * piece_.majorant.gain;
    return n;
  }
  static Norms simpson(double h, const Norms& a, const Norms& m, const Norms& b) {
    return {h / 6.0 * (a.p + 4.0 * m.p + b.p), h / 6.0 * (a.q + 4.0 * m.q + b.q)};
  }
  Norms refine(double a, double b, const Norms& fa, const Norms& fm, const Norms& fb, int depth) {
    const double m = 0.5 * (a + b), h = b - a;
    const Norms fl = at(0.5 * (a + m)), fr = at(0.5 * (m + b));
    const Norms whole = simpson(h, fa, fm, fb), left = simpson(0.5 * h, fa, fl, fm),
                right = simpson(0.5 * h, fm, fr, fb);
    const double error_p = std::abs(left.p + right.p - whole.p), error_q = std::abs(left.q + right.q - whole.q);
    const double size = left.p + right.p + left.q + right.q;
    if (depth == 0 || !(error_p + error_q > how_.accuracy * size) || m == a || m == b)
      return {left.p + right.p + error_p / 15.0, left.q + right.q + error_q / 15.0};
    Norms sum = refine(a, m, fa, fl, fm, depth - 1);
    add(sum, refine(m, b, fm, fr, fb, depth - 1));
    return sum;
  }

  const DisturbanceNormsFunction& norms_;
  const Disturbance& how_;
  const MajorantPiece& piece_;
  double end_;
};

void advance(DeviationBound& bound, const DisturbanceNormsFunction& norms, const Disturbance& how,
             const MajorantPiece& piece, double end) {
  const double begin = bound.time, growth = std::exp(piece.majorant.rate * (end - begin));
  bound.time = end;
  if (!piece.majorant.is_finite()) {
    bound.p_from_start = bound.p_from_differential = bound.p_from_algebraic = infinity;
    return;
  }
  const Norms added = WeightedIntegral(norms, how, piece, end).over(begin);
  bound.p_from_start = growth * bound.p_from_start;
  bound.p_from_differential = growth * bound.p_from_differential + added.p;
  bound.p_from_algebraic = growth * bound.p_from_algebraic + added.q;
}

void finish(DeviationBound& bound, const DisturbanceNormsFunction& norms, const MajorantPiece& piece) {
  bound.p = bound.p_from_start + bound.p_from_differential + bound.p_from_algebraic;
  bound.q_direct = piece.majorant.direct * norms(bound.time, piece).q;
  bound.q = piece.majorant.slope * bound.p + bound.q_direct;
  if (std::isnan(bound.q)) bound.q = infinity;
}

void require(std::span<const MajorantPiece> pieces, std::span<const double> times) {
  if (pieces.empty() || times.empty()) throw Misuse("a bound needs at least one majorant and one time");
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i] >= times[i - 1])) throw Misuse("the times of a bound must ascend");
  for (std::size_t i = 1; i < pieces.size(); ++i)
    if (!(pieces[i].begin <= pieces[i - 1].end))
      throw Misuse(fmt::format("no majorant is given between t = {} and {}", pieces[i - 1].end, pieces[i].begin));
  if (times.front() < pieces.front().begin)
    throw Misuse(fmt::format("no majorant is given before t = {}", pieces.front().begin));
}

}  // namespace

std::vector<DeviationBound> bound_deviation(const Index1Split& split, std::span<const MajorantPiece> pieces,
                                            const Disturbance& disturbance, std::span<const double> times) {
  Vector value(split.size());
  const auto norms = [&](double t, const MajorantPiece& piece) -> DisturbanceNorms {
    if (!disturbance.p) return {};
    std::fill(value.begin(), value.end(), 0.0);
    disturbance.p(t, value);
    Vector q = product(split.q(), value);
    if (piece.constraint_scaling.rows() > 0) q = product(piece.constraint_scaling, q);
    return {split.p_norm(value), split.norm()(q)};
  };
  return bound_deviation(pieces, disturbance, norms, times);
}

std::vector<DeviationBound> bound_deviation(std::span<const MajorantPiece> pieces, const Disturbance& disturbance,
                                            const DisturbanceNormsFunction& norms, std::span<const double> times) {
  require(pieces, times);
  std::vector<DeviationBound> bounds;
  DeviationBound bound{.time = times.front(), .p_from_start = disturbance.start};
  std::size_t k = 0;
  for (const double t : times) {
    while (k < pieces.size() && pieces[k].end < t) {
      if (pieces[k].end > bound.time) advance(bound, norms, disturbance, pieces[k], pieces[k].end);
      ++k;
    }
    if (k == pieces.size()) {
      DeviationBound lost{.time = t, .p = infinity, .q = infinity};
      bounds.push_back(lost);
      continue;
    }
    if (t > bound.time) advance(bound, norms, disturbance, pieces[k], t);
    finish(bound, norms, pieces[k]);
    bounds.push_back(bound);
  }
  return bounds;
}

std::vector<DeviationBound> bound_deviation(const Index1Split& split, const Majorant& majorant,
                                            const Disturbance& disturbance, std::span<const double> times) {
  const MajorantPiece always{-infinity, infinity, majorant};
  return bound_deviation(split, std::span(&always, 1), disturbance, times);
}

double lasting_bound(const Majorant& majorant, double start, double largest_pp, double largest_qp) {
  const double forcing = largest_pp + majorant.gain * largest_qp;
  if (!majorant.is_finite() || majorant.rate > 0.0 || (majorant.rate == 0.0 && forcing > 0.0)) return infinity;
  return majorant.rate < 0.0 ? std::max(start, forcing / -majorant.rate) : start;
}

}  // namespace driftless
