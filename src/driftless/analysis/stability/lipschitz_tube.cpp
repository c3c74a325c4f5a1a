#include "driftless/analysis/stability/lipschitz_tube.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/analysis/stability/enclosed_jacobian.h"
#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/core/require.h"
#include "driftless/core/stop.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

// Constants on the box of one piece: from one enclosure of the Jacobian, by bisection where that says nothing, and by
// samples where the model cannot be enclosed. `scaled` is the form with its constraint scaled, `given` without.
class Finder {
 public:
  Finder(const Index1& scaled, const Index1& given, const Index1Split& split, const Box& box,
         const Refinement& refinement)
      : scaled_(scaled), given_(given), split_(split), box_(box), refinement_(refinement) {
    if (!scaled.functions().encloses()) return;
    try {
      jacobian_ = EnclosedJacobian(scaled).over(box);
      if (scaled.share() != given.share()) given_jacobian_ = EnclosedJacobian(given).over(box);
    } catch (const UndecidedComparison&) {
      jacobian_ = given_jacobian_ = {};
    }
  }

  double find(Quantity quantity) const {
    if (!scaled_.functions().encloses()) return sampled_constant(scaled_, split_, box_, quantity, sampling()).sampled;
    if (jacobian_.rows() > 0) {
      double upper = split_.value(quantity, jacobian_).upper();
      if (quantity == Quantity::reduced && given_jacobian_.rows() > 0)
        upper = std::min(upper, split_.value(quantity, given_jacobian_).upper());
      if (upper < infinity && !(quantity == Quantity::algebraic && upper >= 0.0)) return upper;
    }
    // By parts, only functions that are convex in J may be found: the constraint need not stay in the tube.
    if (lives_on_manifold(quantity)) return infinity;
    LipschitzOptions how{.refinement = refinement_, .sampling = {.points = 0, .climb = false}};
    const LipschitzConstant c = lipschitz_constant(scaled_, split_, box_, quantity, how);
    return c.certain ? c.upper : infinity;
  }

 private:
  static LipschitzOptions sampling() { return {.sampling = {.points = 40}}; }

  const Index1& scaled_;
  const Index1& given_;
  const Index1Split& split_;
  const Box& box_;
  const Refinement& refinement_;
  IntervalMatrix jacobian_, given_jacobian_;
};

class TubeMaker {
 public:
  TubeMaker(const Index1& form, const ReferencePath& path, const TubeOptions& options)
      : form_(form), path_(path), options_(options), split_(form.projector(), options.norm), radii_(form.size()) {
    const Vector p = component_bounds(split_.p(), options.norm), q = component_bounds(split_.q(), options.norm);
    for (std::size_t i = 0; i < radii_.size(); ++i) radii_[i] = options.p_radius * p[i] + options.q_radius * q[i];
  }

  Tube run() {
    tube_.norm = options_.norm.name();
    tube_.theorem = options_.theorem;
    tube_.p_radius = options_.p_radius;
    tube_.q_radius = options_.q_radius;
    for (std::size_t i = 0; i + 1 < path_.grid.size(); ++i) {
      check_stop();
      add(path_.grid[i], path_.grid[i + 1], options_.halvings);
    }
    return std::move(tube_);
  }

 private:
  void add(double begin, double end, int halvings) {
    TubePiece piece = make(begin, end);
    const double rate = std::min(piece.product.rate, piece.elimination.rate);
    const bool sharp = rate - piece.rate_at_middle <= options_.sharpness * (1.0 + std::abs(piece.rate_at_middle));
    const double middle = 0.5 * (begin + end);
    if (!sharp && halvings > 0 && middle > begin && middle < end) {
      add(begin, middle, halvings - 1);
      add(middle, end, halvings - 1);
      return;
    }
    tube_.pieces.push_back(std::move(piece));
  }

  // The path between the ends, from samples; the differences of neighbours are added, which is more than a smooth curve
  // deviates between them.
  Box hull_of_path(double begin, double end) {
    constexpr int samples = 8;
    Box box{.t = Interval(begin, end)};
    Vector low, high, last, margin(form_.size(), 0.0);
    for (int k = 0; k <= samples; ++k) {
      const Vector x = path_.at(k == samples ? end : begin + (end - begin) * k / samples);
      if (k == 0) low = high = x;
      for (std::size_t i = 0; i < x.size(); ++i) {
        low[i] = std::min(low[i], x[i]);
        high[i] = std::max(high[i], x[i]);
        if (k > 0) margin[i] = std::max(margin[i], 0.5 * std::abs(x[i] - last[i]));
      }
      last = x;
    }
    for (std::size_t i = 0; i < low.size(); ++i)
      box.x.push_back(Interval(low[i] - margin[i], high[i] + margin[i]) + Interval(-radii_[i], radii_[i]));
    return box;
  }

  TubePiece make(double begin, double end) {
    TubePiece piece{.begin = begin, .end = end, .box = hull_of_path(begin, end)};
    const double middle = 0.5 * (begin + end);
    const Vector x = path_.at(middle);
    Index1 form = form_;
    if (options_.scaling == ConstraintScaling::newton && form_.constraint_count() > 0) {
      const Matrix c = newton_scaling(form_, x, middle);
      form = with_scaled_constraint(form_, c);
      piece.constraint_scaling = product(split_.q_basis(), product(c, split_.q_coordinates()));
    }
    piece.certain = form.functions().encloses();
    Finder finder(form, form_, split_, piece.box, options_.refinement);
    piece.elimination = {infinity, infinity, infinity, infinity};
    if (options_.theorem != BoundTheorem::product) {
      piece.elimination = {finder.find(Quantity::reduced), finder.find(Quantity::reduced_gain),
                           finder.find(Quantity::implicit_slope), finder.find(Quantity::implicit_gain)};
    }
    // Where elimination works it is the better one, and the products need not be known.
    piece.constants = {infinity, infinity, infinity, finder.find(Quantity::algebraic)};
    if (options_.theorem == BoundTheorem::product ||
        (options_.theorem == BoundTheorem::best && !piece.elimination.is_finite()))
      piece.constants = {finder.find(Quantity::differential), finder.find(Quantity::differential_from_algebraic),
                         finder.find(Quantity::algebraic_from_differential), piece.constants.algebraic};
    piece.product = majorant_of(piece.constants);
    piece.rate_at_middle = rate_at(form, x, middle);
    return piece;
  }

  double rate_at(const Index1& form, const Vector& x, double t) const {
    const std::size_t n = form.size();
    Matrix all(n, n + 1);
    form.functions().f_jacobian(x, t, all);
    const Matrix j = copy_of(all.view().block(0, 0, n, n));
    if (options_.theorem != BoundTheorem::product) return split_.value(Quantity::reduced, j);
    return schur_complement_constant(
        {split_.value(Quantity::differential, j), split_.value(Quantity::differential_from_algebraic, j),
         split_.value(Quantity::algebraic_from_differential, j), split_.value(Quantity::algebraic, j)});
  }

  const Index1& form_;
  const ReferencePath& path_;
  const TubeOptions& options_;
  Index1Split split_;
  Vector radii_;
  Tube tube_;
};

Majorant chosen(const TubePiece& piece, BoundTheorem theorem) {
  if (theorem == BoundTheorem::product) return piece.product;
  if (theorem == BoundTheorem::elimination) return piece.elimination;
  return smaller_of(piece.elimination, piece.product);
}

// The times asked for and the ends of all pieces between them.
Vector with_ends(std::span<const double> times, const Tube& tube) {
  Vector all(times.begin(), times.end());
  for (const auto& piece : tube.pieces)
    if (piece.end > times.front() && piece.end < times.back()) all.push_back(piece.end);
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<DeviationBound> at_times(const std::vector<DeviationBound>& all, std::span<const double> times) {
  std::vector<DeviationBound> chosen_ones;
  auto next = all.begin();
  for (const double t : times) {
    while (next->time < t) ++next;
    chosen_ones.push_back(*next);
  }
  return chosen_ones;
}

// What the tube has to contain: the bounds, and phi over all of its P part, which Theorem 3.5 needs.
struct Reach {
  double p = 0.0, q = 0.0;
};

Reach reach_of(const Tube& tube, const std::vector<DeviationBound>& bounds) {
  Reach reach;
  for (const auto& b : bounds) reach.p = std::max(reach.p, b.p);
  double direct = 0.0, slope = 0.0;
  for (const auto& b : bounds) direct = std::max(direct, b.q_direct);
  for (const auto& piece : tube.majorants()) slope = std::max(slope, piece.majorant.slope);
  reach.q = slope * std::max(reach.p, tube.p_radius) + direct;
  for (const auto& b : bounds) reach.q = std::max(reach.q, b.q);
  return reach;
}

}  // namespace

ReferencePath path_of(const Solution& solution) {
  ReferencePath path;
  auto shared = std::make_shared<const Solution>(solution);
  (void)shared->at(shared->time(0));  // Misuse now rather than later
  path.at = [shared](double t) { return shared->at(t, false); };
  for (std::size_t i = 0; i < solution.size(); ++i)
    if (i == 0 || solution.time(i) > path.grid.back()) path.grid.push_back(solution.time(i));
  return path;
}

bool Tube::certain() const {
  return std::all_of(pieces.begin(), pieces.end(), [](const TubePiece& p) { return p.certain; });
}

double Tube::growth() const {
  double exponent = 0.0;
  for (const auto& piece : majorants()) exponent += piece.majorant.rate * (piece.end - piece.begin);
  return std::exp(exponent);
}

std::vector<MajorantPiece> Tube::majorants() const {
  std::vector<MajorantPiece> result;
  for (const TubePiece& piece : pieces)
    result.push_back({piece.begin, piece.end, chosen(piece, theorem), piece.constraint_scaling});
  return result;
}

Tube tube_along(const Index1& form, const ReferencePath& path, const TubeOptions& options) {
  require_not_negative("p_radius", options.p_radius);
  require_not_negative("q_radius", options.q_radius);
  require_positive("sharpness", options.sharpness);
  require_at_least(0, "halvings", options.halvings);
  if (path.grid.size() < 2 || !path.at) throw Misuse("a tube needs a path with at least two times");
  for (std::size_t i = 1; i < path.grid.size(); ++i)
    if (!(path.grid[i] > path.grid[i - 1])) throw Misuse("the times of a path must ascend");
  return TubeMaker(form, path, options).run();
}

TubeBound bound_along(const Index1& form, const ReferencePath& path, const Disturbance& disturbance,
                      std::span<const double> times, const TubeOptions& given) {
  const Index1Split split(form.projector(), given.norm);
  TubeOptions options = given;
  TubeBound result;
  std::vector<DeviationBound> everywhere;
  const auto fits = [&](int halvings) {  // with the radii of `options`; widens them if not
    options.halvings = halvings;
    result.tube = tube_along(form, path, options);
    everywhere = bound_deviation(split, result.tube.majorants(), disturbance, with_ends(times, result.tube));
    result.bounds = at_times(everywhere, times);
    const Reach reach = reach_of(result.tube, everywhere);
    if (1.05 * reach.p <= options.p_radius && 1.05 * reach.q <= options.q_radius) return true;
    if (std::isfinite(reach.p)) options.p_radius = std::max(options.p_radius, 1.3 * reach.p);
    if (std::isfinite(reach.q)) options.q_radius = std::max(options.q_radius, 1.3 * reach.q);
    return false;
  };
  // Rough tubes first, to find the radius; then a sharp one.
  for (int round = 0; round < 12 && !result.valid; ++round) {
    const bool rough = round < 4 && given.halvings > 0;
    result.widenings = round;
    if (!fits(rough ? 0 : given.halvings)) continue;
    result.valid = !rough || fits(given.halvings);
  }
  if (result.valid) {
    result.valid_until = times.back();
    return result;
  }
  result.valid_until = times.front();
  for (const auto& b : everywhere) {
    if (!(b.p <= result.tube.p_radius && b.q <= result.tube.q_radius)) break;
    result.valid_until = b.time;
  }
  return result;
}

}  // namespace driftless
