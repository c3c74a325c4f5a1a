// A mechanism from the functions that driftless calls, each at most once per evaluation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "bench/mechanism.h"

namespace bench {

namespace {

using driftless::ConstSpan;
using driftless::Matrix;
using driftless::Mechanical;
using driftless::Vector;

struct RandomPoint {
  double t;
  Vector q, v, a, lambda, mu;
  Mechanism::Point point() const { return {t, q.data(), v.data(), a.data(), lambda.data(), mu.data()}; }
};

// Off the start by up to a tenth of the size of the state, accelerations and multipliers of any sign.
std::vector<RandomPoint> random_points(std::size_t n, std::size_t m, double t, ConstSpan start, int count) {
  std::mt19937 generator(1234);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<RandomPoint> points;
  for (int k = 0; k < count; ++k) {
    RandomPoint p{t + 0.01 * k, {}, {}, {}, {}, {}};
    for (std::size_t i = 0; i < n; ++i) p.q.push_back(start[i] + 0.02 * uniform(generator));
    for (std::size_t i = 0; i < n; ++i) p.v.push_back(start[n + i] + uniform(generator));
    for (std::size_t i = 0; i < n; ++i) p.a.push_back(uniform(generator));
    for (std::size_t i = 0; i < m; ++i) p.lambda.push_back(start[2 * n + i] + uniform(generator));
    for (std::size_t i = 0; i < m; ++i) p.mu.push_back(uniform(generator));
    points.push_back(std::move(p));
  }
  return points;
}

class Generic final : public Mechanism {
 public:
  Generic(const Mechanical& form, double t, ConstSpan start)
      : form_(form), f_(form_.functions()), rows_(form.q_size()), constraints_(form.lambda_size()) {
    if (form.s_size() > 0) throw std::runtime_error("the peers know no first-order states beside a mechanism");
    n_ = static_cast<int>(rows_);
    m_ = static_cast<int>(constraints_);
    mass_ = Matrix(rows_, rows_);
    force_ = Vector(rows_);
    curvature_ = Vector(constraints_);
    force_jacobian_ = Matrix(rows_, 2 * rows_ + 1);
    for (Matrix* matrix : {&mass_jacobian_, &reaction_jacobian_}) *matrix = Matrix(rows_, rows_ + 1);
    for (Matrix* matrix : {&g_, &rate_, &second_}) *matrix = Matrix(constraints_, rows_ + 1);
    const auto points = random_points(rows_, constraints_, t, start, 4);
    find_mass(points);
    find_patterns(points);
  }

  void evaluate(const Point& p, const Values& out) override {
    const ConstSpan q(p.q, rows_), v(p.v, rows_);
    double* balance = out.balance ? out.balance : force_.data();
    constraint_derivatives(p, out);
    if (out.balance || (out.g2 && !p.a)) {
      f_.force(q, v, {}, p.t, {balance, rows_});
      for (std::size_t i = 0; i < rows_; ++i) balance[i] = -balance[i];
      if (p.a) add_inertia(p, balance);
      add_transposed(p.lambda, balance);
    }
    if (out.reaction) {
      std::fill(out.reaction, out.reaction + rows_, 0.0);
      add_transposed(p.mu, out.reaction);
    }
    if (out.g) f_.constraint(q, p.t, {out.g, constraints_});
    if (out.g1)
      for (std::size_t k = 0; k < constraints_; ++k) out.g1[k] = clock_ ? g_(k, rows_) : 0.0;
    if (out.g2) std::copy(curvature_.begin(), curvature_.end(), out.g2);
    for (std::size_t i = 0; i < rows_; ++i) {
      const double a = p.a ? p.a[i] : out.g2 ? -balance[i] / diagonal_[i] : 0.0;
      for (std::size_t k = 0; k < constraints_; ++k) {
        if (out.g1) out.g1[k] += g_(k, i) * p.v[i];
        if (out.g2) out.g2[k] += g_(k, i) * a;
      }
    }
  }

  void differentiate(const Point& p, const std::array<bool, block_count>& wanted, BlockValues& out) override {
    const auto wants = [&](Block block) { return wanted[index_of(block)]; };
    const ConstSpan q(p.q, rows_), v(p.v, rows_), a(p.a, rows_), lambda(p.lambda, constraints_);
    if (wants(Block::stiffness) || wants(Block::damping)) f_.force_jacobian(q, v, {}, p.t, force_jacobian_);
    if (wants(Block::stiffness)) {
      f_.reaction_jacobian(q, p.t, lambda, reaction_jacobian_);
      if (diagonal_.empty()) f_.mass_jacobian(q, p.t, a, mass_jacobian_);
      gather(Block::stiffness, out, [&](std::size_t i, std::size_t j) {
        return reaction_jacobian_(i, j) + mass_jacobian_(i, j) - force_jacobian_(i, j);
      });
    }
    if (wants(Block::damping))
      gather(Block::damping, out, [&](std::size_t i, std::size_t j) { return -force_jacobian_(i, rows_ + j); });
    if (wants(Block::mass) && diagonal_.empty()) f_.mass(q, p.t, mass_);
    if (wants(Block::mass)) gather(Block::mass, out, [&](std::size_t i, std::size_t j) { return mass_(i, j); });
    if (wants(Block::acceleration))
      f_.constraint_jacobians(q, p.t, v, a, g_, rate_, second_);
    else {
      f_.constraint_jacobian(q, p.t, g_);
      if (wants(Block::rate)) f_.constraint_tangent_jacobian(q, p.t, v, 1.0, rate_);
    }
    if (wants(Block::constraint))
      gather(Block::constraint, out, [&](std::size_t i, std::size_t j) { return g_(i, j); });
    if (wants(Block::rate)) gather(Block::rate, out, [&](std::size_t i, std::size_t j) { return rate_(i, j); });
    if (wants(Block::acceleration))
      gather(Block::acceleration, out, [&](std::size_t i, std::size_t j) { return second_(i, j); });
  }

 private:
  // G, with dg/dt where it is not zero, and the curvature: in one pass where that gives all that is wanted.
  void constraint_derivatives(const Point& p, const Values& out) {
    const ConstSpan q(p.q, rows_), v(p.v, rows_);
    if (out.g2 && !(out.g1 && clock_)) {
      f_.constraint_curving(q, p.t, v, g_.view().block(0, 0, constraints_, rows_), curvature_);
      return;
    }
    f_.constraint_jacobian(q, p.t, g_);
    if (out.g2) f_.constraint_curvature(q, p.t, v, 1.0, curvature_);
  }

  void add_inertia(const Point& p, double* balance) {
    if (!diagonal_.empty()) {
      for (std::size_t i = 0; i < rows_; ++i) balance[i] += diagonal_[i] * p.a[i];
      return;
    }
    f_.mass(ConstSpan(p.q, rows_), p.t, mass_);
    for (std::size_t j = 0; j < rows_; ++j)
      for (std::size_t i = 0; i < rows_; ++i) balance[i] += mass_(i, j) * p.a[j];
  }

  void add_transposed(const double* multiplier, double* out) const {
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t k = 0; k < constraints_; ++k) out[i] += g_(k, i) * multiplier[k];
  }

  template <class Entry>
  void gather(Block block, BlockValues& out, Entry&& entry) const {
    const Entries& where = entries(block);
    std::vector<double>& values = out[index_of(block)];
    for (std::size_t k = 0; k < where.size(); ++k)
      values[k] = entry(static_cast<std::size_t>(where.row[k]), static_cast<std::size_t>(where.col[k]));
  }

  void find_mass(const std::vector<RandomPoint>& points) {
    if (!f_.has_mass()) {
      diagonal_.assign(rows_, 1.0);
      mass_ = Matrix::identity(rows_);
      return;
    }
    Matrix first(rows_, rows_);
    f_.mass(points[0].q, points[0].t, first);
    for (std::size_t j = 0; j < rows_; ++j)
      for (std::size_t i = 0; i < rows_; ++i)
        if (i != j && first(i, j) != 0.0) return;
    for (const RandomPoint& p : points) {
      f_.mass(p.q, p.t, mass_);
      if (!(mass_ == first)) return;
    }
    for (std::size_t i = 0; i < rows_; ++i) diagonal_.push_back(first(i, i));
  }

  void find_patterns(const std::vector<RandomPoint>& points) {
    std::array<bool, block_count> all;
    all.fill(true);
    BlockValues values;
    const std::size_t n = rows_, m = constraints_;
    std::array<std::size_t, block_count> height = {n, n, n, m, m, m};
    std::array<std::vector<bool>, block_count> seen;
    for (std::size_t b = 0; b < block_count; ++b) {
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < height[b]; ++i) entries_[b].add(static_cast<int>(i), static_cast<int>(j));
      values[b].assign(entries_[b].size(), 0.0);
      seen[b].assign(entries_[b].size(), false);
    }
    for (const RandomPoint& p : points) {
      differentiate(p.point(), all, values);
      for (std::size_t b = 0; b < block_count; ++b)
        for (std::size_t k = 0; k < values[b].size(); ++k)
          if (values[b][k] != 0.0) seen[b][k] = true;
      for (std::size_t k = 0; k < m; ++k)
        if (g_(k, n) != 0.0) clock_ = true;
    }
    for (std::size_t b = 0; b < block_count; ++b) {
      Entries kept;
      for (std::size_t k = 0; k < seen[b].size(); ++k)
        if (seen[b][k]) kept.add(entries_[b].row[k], entries_[b].col[k]);
      entries_[b] = std::move(kept);
    }
  }

  Mechanical form_;
  const Mechanical::Functions& f_;
  std::size_t rows_, constraints_;
  bool clock_ = false;  // the constraint depends on time
  Matrix mass_, g_, rate_, second_, force_jacobian_, mass_jacobian_, reaction_jacobian_;
  Vector force_, curvature_;
};

double deviation(double a, double b, double scale) { return std::abs(a - b) / std::max(scale, 1e-300); }

void compare(const std::vector<double>& one, const std::vector<double>& other, const char* what) {
  double scale = 0.0;
  for (const double x : one) scale = std::max(scale, std::abs(x));
  for (std::size_t k = 0; k < one.size(); ++k)
    if (!(deviation(one[k], other[k], scale) < 1e-11))
      throw std::runtime_error(fmt::format(
          "two statements of one mechanism differ in {}, entry {}: {:.15g} and {:.15g}", what, k, one[k], other[k]));
}

std::vector<double> dense(Mechanism& mechanism, Block block, const BlockValues& values) {
  const auto n = static_cast<std::size_t>(mechanism.n());
  std::vector<double> all(n * std::max(n, static_cast<std::size_t>(mechanism.m())), 0.0);
  const Entries& where = mechanism.entries(block);
  for (std::size_t k = 0; k < where.size(); ++k)
    all[static_cast<std::size_t>(where.row[k]) * n + static_cast<std::size_t>(where.col[k])] +=
        values[index_of(block)][k];
  return all;
}

}  // namespace

std::unique_ptr<Mechanism> generic_mechanism(const Mechanical& form, double t, ConstSpan start) {
  return std::make_unique<Generic>(form, t, start);
}

void require_same(Mechanism& one, Mechanism& other, double t, ConstSpan start) {
  const auto n = static_cast<std::size_t>(one.n()), m = static_cast<std::size_t>(one.m());
  std::array<bool, block_count> all;
  all.fill(true);
  for (const RandomPoint& random : random_points(n, m, t, start, 4)) {
    for (const bool with_a : {true, false}) {
      if (!with_a && one.diagonal_mass().empty()) continue;
      std::vector<double> values[2][5];
      Mechanism* both[2] = {&one, &other};
      for (int k = 0; k < 2; ++k) {
        auto& v = values[k];
        for (std::size_t i = 0; i < 5; ++i) v[i].assign(i < 2 ? n : m, 0.0);
        Mechanism::Point point = random.point();
        if (!with_a) point.a = nullptr;
        both[k]->evaluate(point, {v[0].data(), v[1].data(), v[2].data(), v[3].data(), v[4].data()});
      }
      const char* names[5] = {"balance", "G^T mu", "g", "g'", "g''"};
      for (std::size_t i = 0; i < 5; ++i) compare(values[0][i], values[1][i], names[i]);
    }
    BlockValues blocks[2];
    Mechanism* both[2] = {&one, &other};
    for (int k = 0; k < 2; ++k) {
      for (std::size_t b = 0; b < block_count; ++b)
        blocks[k][b].assign(both[k]->entries(static_cast<Block>(b)).size(), 0.0);
      both[k]->differentiate(random.point(), all, blocks[k]);
    }
    const char* names[block_count] = {"d balance/dq", "d balance/dv", "M", "G", "dg'/dq", "dg''/dq"};
    for (std::size_t b = 0; b < block_count; ++b)
      compare(dense(one, static_cast<Block>(b), blocks[0]), dense(other, static_cast<Block>(b), blocks[1]), names[b]);
  }
}

}  // namespace bench
