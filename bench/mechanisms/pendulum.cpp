// The pendulum: M = I, F = (0, -1), g = |u|^2 - 1.
#include "bench/mechanism.h"

namespace bench {

namespace {

class Pendulum final : public Mechanism {
 public:
  Pendulum() {
    n_ = 2;
    m_ = 1;
    diagonal_ = {1.0, 1.0};
    for (const Block block : {Block::stiffness, Block::mass}) {
      entries_[index_of(block)].add(0, 0);
      entries_[index_of(block)].add(1, 1);
    }
    for (const Block block : {Block::constraint, Block::rate, Block::acceleration}) {
      entries_[index_of(block)].add(0, 0);
      entries_[index_of(block)].add(0, 1);
    }
  }

  void evaluate(const Point& p, const Values& out) override {
    const double x = 2.0 * p.q[0], y = 2.0 * p.q[1];  // G
    const double fx = p.lambda[0] * x, fy = 1.0 + p.lambda[0] * y;
    if (out.balance) {
      out.balance[0] = p.a ? fx + p.a[0] : fx;
      out.balance[1] = p.a ? fy + p.a[1] : fy;
    }
    if (out.reaction) {
      out.reaction[0] = p.mu[0] * x;
      out.reaction[1] = p.mu[0] * y;
    }
    if (out.g) *out.g = p.q[0] * p.q[0] + p.q[1] * p.q[1] - 1.0;
    if (out.g1) *out.g1 = x * p.v[0] + y * p.v[1];
    if (out.g2)
      *out.g2 = (p.a ? x * p.a[0] + y * p.a[1] : -x * fx - y * fy) + 2.0 * (p.v[0] * p.v[0] + p.v[1] * p.v[1]);
  }

  void differentiate(const Point& p, const std::array<bool, block_count>&, BlockValues& out) override {
    for (std::size_t i = 0; i < 2; ++i) {
      out[index_of(Block::stiffness)][i] = 2.0 * p.lambda[0];
      out[index_of(Block::mass)][i] = 1.0;
      out[index_of(Block::constraint)][i] = 2.0 * p.q[i];
      out[index_of(Block::rate)][i] = 2.0 * p.v[i];
      out[index_of(Block::acceleration)][i] = 2.0 * p.a[i];
    }
  }
};

}  // namespace

std::unique_ptr<Mechanism> pendulum_mechanism() { return std::make_unique<Pendulum>(); }

}  // namespace bench
