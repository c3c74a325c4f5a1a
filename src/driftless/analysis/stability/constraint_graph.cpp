#include "driftless/analysis/stability/constraint_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "driftless/analysis/geometric/start_cloud.h"
#include "driftless/analysis/stability/enclosed_jacobian.h"
#include "driftless/core/stop.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

constexpr std::size_t witnesses = 40;       // values of P x at which a solution is looked for
constexpr std::size_t first_tries = 8;      // of them, at which one is wanted inside
constexpr std::size_t witness_boxes = 400;  // parts of the Q sides, to show that there is none
constexpr std::size_t most_listed = 4;
constexpr double smallest_part = 1e-9;  // of a part, relative to the box: no further bisection
constexpr double far_away = 1e3;        // sides without an end are looked at up to here

std::vector<bool> algebraic_unknowns(const Index1Split& split) {
  std::vector<bool> algebraic(split.size());
  for (std::size_t i = 0; i < split.size(); ++i) algebraic[i] = split.p()(i, i) == 0.0;
  return algebraic;
}

// Above |Q f| for all values that are enclosed, where P is diagonal. sum_j |W e_j| r_j is above |v| for every
// |v_j| <= r_j; without W, norms of sizes are those of the largest vector.
double q_size(const Index1Split& split, const std::vector<bool>& algebraic, const std::vector<Interval>& f) {
  Vector sizes(f.size(), 0.0);
  for (std::size_t i = 0; i < f.size(); ++i)
    if (algebraic[i]) sizes[i] = f[i].magnitude();
  if (!split.norm().matrix()) return split.norm()(sizes) * (1.0 + 1e-12);
  double sum = 0.0;
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    Vector unit(sizes.size(), 0.0);
    unit[j] = sizes[j];
    sum += split.norm()(unit);
  }
  return sum * (1.0 + 1e-12);
}

class GraphProof {
 public:
  GraphProof(const Index1& form, const Index1Split& split, const Box& box, double monotonicity, double radius,
             std::size_t boxes)
      : form_(form),
        split_(split),
        box_(box),
        monotonicity_(monotonicity),
        radius_(radius),
        limit_(boxes),
        perturbed_(split, radius),
        jacobian_(form),
        manifold_(make_manifold(form)),
        algebraic_(algebraic_unknowns(split)) {}

  ConstraintGraph run() {
    if (!split_.by_coordinates()) {
      result_.reason = "the projector mixes unknowns, so that the box is no product of a P part and a Q part";
      result_.advice = "a model whose differential unknowns stand alone";
      return result_;
    }
    bool somewhere = false;
    for (std::size_t k = 0; k < first_tries && !somewhere; ++k) somewhere = has_solution(witness(k));
    if (!somewhere) return blame();
    for (std::size_t i = 0; i < form_.size(); ++i)
      if (algebraic_[i] && !(misses_face(i, box_.x[i].lower()) && misses_face(i, box_.x[i].upper()))) return blame();
    result_.solved = Verdict::yes;
    return result_;
  }

 private:
  Box middle() const {
    Box point = box_;
    for (std::size_t k = 0; k < point.coordinates(); ++k) point.side(k) = Interval(point.side(k).middle());
    return point;
  }

  // Newton's method from the point; false if it fails.
  bool solve(Box& point) {
    Vector x = point.middle();
    if (!bring_to_constraint(*manifold_, form_, point.t.lower(), x)) return false;
    point = box_of(x, point.t.lower());
    return true;
  }

  // With M_Q+ <= m < 0, z' = Q f(u, z) has its equilibrium within |Q f(u, z)| / -m of z, as long as that ball is
  // inside: D+|z(s) - z| <= m |z(s) - z| + |Q f(u, z)|. Every perturbation up to the radius is allowed for.
  bool has_solution(Box point) {
    if (!solve(point)) return false;
    try {
      jacobian_.over(point);
    } catch (const UndecidedComparison&) {
      return false;
    }
    const double ball = (q_size(split_, algebraic_, jacobian_.f()) + radius_) / -monotonicity_ * (1.0 + 1e-12);
    const Vector reach = component_bounds(split_.q(), split_.norm());
    for (std::size_t i = 0; i < form_.size(); ++i)
      if (algebraic_[i] && !(point.x[i].lower() - reach[i] * ball > box_.x[i].lower() &&
                             point.x[i].upper() + reach[i] * ball < box_.x[i].upper()))
        return false;
    return true;
  }

  bool may_meet(const Box& part) {
    ++result_.boxes;
    try {
      jacobian_.over(part);
    } catch (const UndecidedComparison&) {
      return true;
    }
    return perturbed_.may_meet(jacobian_.f());
  }

  // No point of the part satisfies the constraint. Halves the side that is widest beside the whole box.
  bool misses(const Box& part, std::size_t& budget) {
    std::vector<Box> open = {part};
    while (!open.empty()) {
      check_stop();
      const Box top = open.back();
      open.pop_back();
      if (budget == 0) return false;
      --budget;
      if (!may_meet(top)) continue;
      const std::size_t k = widest(top);
      if (k == top.coordinates()) return false;
      const Interval side = top.side(k);
      const double cut = cut_of(side);
      for (const Interval& half : {Interval(side.lower(), cut), Interval(cut, side.upper())}) {
        open.push_back(top);
        open.back().side(k) = half;
      }
    }
    return true;
  }

  static double cut_of(const Interval& side) {
    if (side.is_bounded()) return side.middle();
    if (std::isfinite(side.lower())) return side.lower() + 1.0 + std::abs(side.lower());
    return std::isfinite(side.upper()) ? side.upper() - 1.0 - std::abs(side.upper()) : 0.0;
  }

  std::size_t widest(const Box& part) const {
    std::size_t best = part.coordinates();
    double largest = smallest_part;
    for (std::size_t k = 0; k < part.coordinates(); ++k) {
      const double whole = box_.side(k).width(), here = part.side(k).width();
      const double side = std::isinf(here)    ? 2.0
                          : std::isinf(whole) ? here / (1.0 + part.side(k).magnitude())
                          : whole > 0.0       ? here / whole
                                              : 0.0;
      if (!(side > largest)) continue;
      largest = side;
      best = k;
    }
    return best;
  }

  // Solutions cannot run to infinity, as M_Q+ < 0 holds them, so a side without an end has no face there.
  bool misses_face(std::size_t i, double end) {
    if (std::isinf(end)) return true;
    Box face = box_;
    face.x[i] = Interval(end);
    std::size_t budget = limit_ > result_.boxes ? limit_ - result_.boxes : 0;
    if (misses(face, budget)) return true;
    face_ = {i, end};
    return false;
  }

  // A value of P x over which the box holds no solution refutes it.
  ConstraintGraph blame() {
    for (std::size_t k = 0; k < witnesses; ++k) {
      Box point = witness(k);
      const bool solved = solve(point);
      if (solved && box_.contains(point.middle())) continue;
      Box over = point;
      for (std::size_t i = 0; i < form_.size(); ++i)
        if (algebraic_[i]) over.x[i] = box_.x[i];
      std::size_t budget = witness_boxes;
      if (!misses(over, budget)) continue;
      result_.solved = Verdict::no;
      result_.reason = fmt::format("over {} the constraint has no solution in the box{}", text_of(point, false),
                                   solved ? " (outside, " + text_of(point, true) + ")" : "");
      result_.advice = advice(solved ? std::optional(point) : std::nullopt);
      return result_;
    }
    result_.reason =
        face_ ? fmt::format("the constraint may leave the box where {} = {:.6g}", name(face_->first), face_->second)
              : std::string("no solution of the constraint was found inside the box");
    result_.advice = advice(std::nullopt);
    return result_;
  }

  Box witness(std::size_t number) const {
    Box point = middle();
    if (number == 0) return point;
    for (std::size_t k = 0; k < point.coordinates(); ++k) {
      if (k < form_.size() && algebraic_[k]) continue;
      const Interval& side = box_.side(k);
      const double low = std::max(side.lower(), -far_away), high = std::min(side.upper(), far_away);
      if (low <= high) point.side(k) = Interval(low + (high - low) * scattered(7, number * point.coordinates() + k));
    }
    return point;
  }

  std::string name(std::size_t i) const { return form_.layout().name(i); }

  static std::string list(std::vector<std::string> parts) {
    if (parts.size() > most_listed) {
      parts.resize(most_listed);
      parts.push_back("...");
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  // P x of a point with its time, or those of its algebraic unknowns that are outside.
  std::string text_of(const Box& point, bool algebraic) const {
    std::vector<std::string> parts;
    if (!algebraic && !box_.t.is_point()) parts.push_back(fmt::format("t = {:.6g}", point.t.lower()));
    for (std::size_t i = 0; i < form_.size(); ++i)
      if (algebraic_[i] == algebraic && !(algebraic && box_.x[i].contains(point.x[i].lower())))
        parts.push_back(fmt::format("{} = {:.6g}", name(i), point.x[i].lower()));
    return list(std::move(parts));
  }

  std::string advice(const std::optional<Box>& outside) const {
    std::vector<std::string> larger, smaller;
    for (std::size_t i = 0; i < form_.size(); ++i) {
      if (!algebraic_[i]) smaller.push_back(name(i));
      const bool leaves = outside ? !box_.x[i].contains(outside->x[i].lower()) : !face_ || face_->first == i;
      if (algebraic_[i] && leaves) larger.push_back(name(i));
    }
    return fmt::format("larger sides for {}, or smaller ones for {}", list(larger), list(smaller));
  }

  const Index1& form_;
  const Index1Split& split_;
  const Box& box_;
  double monotonicity_, radius_;
  std::size_t limit_;
  PerturbedManifold perturbed_;
  EnclosedJacobian jacobian_;
  std::unique_ptr<Manifold> manifold_;
  std::vector<bool> algebraic_;
  std::optional<std::pair<std::size_t, double>> face_;  // that could not be excluded
  ConstraintGraph result_;
};

}  // namespace

const char* name_of(Verdict verdict) {
  return verdict == Verdict::yes ? "yes" : verdict == Verdict::no ? "no" : "open";
}

// The dual norm of row i of projector W^-1.
Vector component_bounds(const Matrix& projector, const Norm& norm) {
  const Matrix rows = norm.matrix() ? product(projector, *inverse(*norm.matrix())) : projector;
  Vector bounds(rows.rows(), 0.0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double sum = 0.0, squares = 0.0, largest = 0.0;
    for (std::size_t j = 0; j < rows.cols(); ++j) {
      sum += std::abs(rows(i, j));
      squares += rows(i, j) * rows(i, j);
      largest = std::max(largest, std::abs(rows(i, j)));
    }
    const double dual = norm.kind() == Norm::Kind::maximum ? sum
                        : norm.kind() == Norm::Kind::two   ? std::sqrt(squares)
                                                           : largest;
    bounds[i] = dual * (1.0 + 1e-12);
  }
  return bounds;
}

// |row . Qp| <= |row|_dual |Qp|, where the rows are coordinates of Im Q.
PerturbedManifold::PerturbedManifold(const Index1Split& split, double radius)
    : rows_(split.q_coordinates()), slack_(component_bounds(split.q_coordinates(), split.norm())) {
  for (double& s : slack_) s = radius > 0.0 ? s * radius * (1.0 + 1e-12) : 0.0;
}

bool PerturbedManifold::may_meet(const std::vector<Interval>& f) const {
  for (std::size_t k = 0; k < rows_.rows(); ++k) {
    Interval residual;
    for (std::size_t i = 0; i < rows_.cols(); ++i)
      if (rows_(k, i) != 0.0) residual += Interval(rows_(k, i)) * f[i];
    if (residual.lower() > slack_[k] || residual.upper() < -slack_[k]) return false;
  }
  return true;
}

ConstraintNarrowing::ConstraintNarrowing(const Index1& form, const Index1Split& split, const Box& box,
                                         double monotonicity, double radius)
    : form_(form),
      split_(split),
      box_(box),
      monotonicity_(monotonicity),
      radius_(radius),
      works_(monotonicity < 0.0 && split.by_coordinates() && form.constraint_count() > 0),
      reach_(works_ ? component_bounds(split.q(), split.norm()) : Vector()),
      manifold_(make_manifold(form)) {}

double ConstraintNarrowing::distance_bound(const Box& over) const {
  EnclosedJacobian jacobian(form_);
  jacobian.over(over);
  return (q_size(split_, algebraic_unknowns(split_), jacobian.f()) + radius_) / -monotonicity_ * (1.0 + 1e-12);
}

bool ConstraintNarrowing::narrow(Box& part) {
  if (!works_) return true;
  Vector x = part.middle();
  if (!bring_to_constraint(*manifold_, form_, part.t.middle(), x)) x = part.middle();
  Box over = part;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (split_.p()(i, i) == 0.0) over.x[i] = Interval(std::clamp(x[i], box_.x[i].lower(), box_.x[i].upper()));
  const double distance = distance_bound(over);
  if (!std::isfinite(distance)) return true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (split_.p()(i, i) != 0.0) continue;
    const double radius = reach_[i] * distance;
    const Interval around = over.x[i] + Interval(-radius, radius);
    if (!overlap(around, part.x[i])) return false;
    part.x[i] = Interval(std::max(around.lower(), part.x[i].lower()), std::min(around.upper(), part.x[i].upper()));
  }
  return true;
}

bool bring_to_constraint(Manifold& manifold, const Index1& form, double t, Vector& x) {
  if (manifold.set_multipliers(t, x) != ManifoldStatus::ok) return false;
  Vector residual(manifold.constraint_count()), f(form.size());
  if (manifold.residual(1, t, x, residual) != ManifoldStatus::ok) return false;
  form.functions().f(x, t, f);
  double scale = 1.0;
  for (const double value : f) scale = std::max(scale, std::abs(value));
  return std::all_of(residual.begin(), residual.end(), [&](double r) { return std::abs(r) <= 1e-8 * scale; });
}

ConstraintGraph constraint_graph(const Index1& form, const Index1Split& split, const Box& box, double monotonicity,
                                 double manifold_radius, std::size_t boxes) {
  if (form.constraint_count() == 0) return {.solved = Verdict::yes};
  if (!form.functions().encloses())
    return {.reason = "the formulas of this model cannot be enclosed by intervals",
            .advice = "the model as a file, or with enclosed_index1 in C++"};
  if (!(monotonicity < 0.0))
    return {.reason = "M_Q+[Qf] < 0 is not proved on the whole box, so that it may hold several branches or folds",
            .advice = "a smaller box around one branch"};
  return GraphProof(form, split, box, monotonicity, manifold_radius, boxes).run();
}

}  // namespace driftless
