// Fekete's points: M = I, F_i = sum_j d_ij / |d_ij|^2 - damping v_i with d_ij = p_i - p_j, g_i = |p_i|^2 - 1.
#include "testset/fekete.h"

#include <algorithm>

#include "bench/mechanism.h"

namespace bench {

namespace {

constexpr int points = static_cast<int>(driftless::testset::fekete_count);
constexpr double friction = driftless::testset::fekete_damping;

class Fekete final : public Mechanism {
 public:
  Fekete() {
    n_ = 3 * points;
    m_ = points;
    diagonal_.assign(static_cast<std::size_t>(n_), 1.0);
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i) entries_[index_of(Block::stiffness)].add(i, j);
    for (int i = 0; i < n_; ++i) {
      for (const Block block : {Block::damping, Block::mass}) entries_[index_of(block)].add(i, i);
      for (const Block block : {Block::constraint, Block::rate, Block::acceleration})
        entries_[index_of(block)].add(i / 3, i);
    }
  }

  void evaluate(const Point& p, const Values& out) override {
    if (out.balance) balance(p, out.balance);
    if (out.reaction)
      for (int i = 0; i < n_; ++i) out.reaction[i] = 2.0 * p.q[i] * p.mu[i / 3];
    for (int k = 0; k < points; ++k) {
      double square = -1.0, rate = 0.0, second = 0.0;
      for (int i = 3 * k; i < 3 * k + 3; ++i) {
        square += p.q[i] * p.q[i];
        rate += 2.0 * p.q[i] * p.v[i];
        if (out.g2) second += 2.0 * (p.v[i] * p.v[i] + p.q[i] * (p.a ? p.a[i] : -out.balance[i]));
      }
      if (out.g) out.g[k] = square;
      if (out.g1) out.g1[k] = rate;
      if (out.g2) out.g2[k] = second;
    }
  }

  void differentiate(const Point& p, const std::array<bool, block_count>& wanted, BlockValues& out) override {
    if (wanted[index_of(Block::stiffness)]) stiffness(p, out[index_of(Block::stiffness)].data());
    for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) {
      out[index_of(Block::damping)][i] = friction;
      out[index_of(Block::mass)][i] = 1.0;
      out[index_of(Block::constraint)][i] = 2.0 * p.q[i];
      out[index_of(Block::rate)][i] = 2.0 * p.v[i];
      out[index_of(Block::acceleration)][i] = 2.0 * p.a[i];
    }
  }

 private:
  void balance(const Point& p, double* out) const {
    for (int i = 0; i < n_; ++i) out[i] = friction * p.v[i] + 2.0 * p.q[i] * p.lambda[i / 3] + (p.a ? p.a[i] : 0.0);
    for (int i = 0; i < points; ++i) {
      const double* pi = p.q + 3 * i;
      double fx = 0.0, fy = 0.0, fz = 0.0;
      for (int j = 0; j < i; ++j) {
        const double* pj = p.q + 3 * j;
        const double x = pi[0] - pj[0], y = pi[1] - pj[1], z = pi[2] - pj[2], w = 1.0 / (x * x + y * y + z * z);
        fx += w * x;
        fy += w * y;
        fz += w * z;
        out[3 * j] += w * x;
        out[3 * j + 1] += w * y;
        out[3 * j + 2] += w * z;
      }
      out[3 * i] -= fx;
      out[3 * i + 1] -= fy;
      out[3 * i + 2] -= fz;
    }
  }

  // d/dp of -d/|d|^2 is -(I - 2 d d^T / |d|^2) / |d|^2.
  void stiffness(const Point& p, double* out) const {
    std::fill(out, out + n_ * n_, 0.0);
    const auto at = [&](int i, int j) -> double& { return out[i + j * n_]; };
    for (int i = 0; i < n_; ++i) at(i, i) = 2.0 * p.lambda[i / 3];
    for (int i = 0; i < points; ++i)
      for (int j = 0; j < i; ++j) {
        double d[3], square = 0.0;
        for (int c = 0; c < 3; ++c) {
          d[c] = p.q[3 * i + c] - p.q[3 * j + c];
          square += d[c] * d[c];
        }
        const double w = 1.0 / square;
        for (int b = 0; b < 3; ++b)
          for (int c = 0; c < 3; ++c) {
            const double slope = w * ((b == c ? 1.0 : 0.0) - 2.0 * w * d[b] * d[c]);
            at(3 * i + c, 3 * i + b) -= slope;
            at(3 * j + c, 3 * j + b) -= slope;
            at(3 * i + c, 3 * j + b) = slope;
            at(3 * j + c, 3 * i + b) = slope;
          }
      }
  }
};

}  // namespace

std::unique_ptr<Mechanism> fekete_mechanism() { return std::make_unique<Fekete>(); }

}  // namespace bench
