// Planar chains, with sparse derivatives: the cost of everything is proportional to the number of links.
//     g_k = (|e_k|^2 - l^2) / 2,   e_k = X_k - X_(k-1);   node k feels e_k lambda_k - e_(k+1) lambda_(k+1).
#include "bench/mechanisms/chain.h"

#include "bench/mechanism.h"

namespace bench {

namespace {

constexpr double gravity = 9.81;

class Chain final : public Mechanism {
 public:
  explicit Chain(const ChainShape& shape)
      : links_(static_cast<int>(shape.links)),
        nodes_(shape.both_ends ? links_ - 1 : links_),
        square_(shape.link_length * shape.link_length),
        span_(shape.span) {
    n_ = 2 * nodes_;
    m_ = links_;
    mass_ = 1.0 / static_cast<double>(nodes_);
    diagonal_.assign(static_cast<std::size_t>(n_), mass_);
    for (int i = 0; i < n_; ++i) entries_[index_of(Block::mass)].add(i, i);
    Entries& stiffness = entries_[index_of(Block::stiffness)];
    for (int i = 0; i < n_; ++i) {
      stiffness.add(i, i);
      if (i + 2 < n_) {
        stiffness.add(i, i + 2);
        stiffness.add(i + 2, i);
      }
    }
    for (const Block block : {Block::constraint, Block::rate, Block::acceleration})
      for (int k = 0; k < links_; ++k)
        for (int c = 0; c < 2; ++c) {
          if (k < nodes_) entries_[index_of(block)].add(k, 2 * k + c);
          if (k > 0) entries_[index_of(block)].add(k, 2 * (k - 1) + c);
        }
  }

  void evaluate(const Point& p, const Values& out) override {
    if (out.balance)
      for (int i = 0; i < n_; ++i) out.balance[i] = (i % 2 == 1 ? gravity * mass_ : 0.0) + (p.a ? mass_ * p.a[i] : 0.0);
    if (out.reaction)
      for (int i = 0; i < n_; ++i) out.reaction[i] = 0.0;
    const double corner = span_;
    for (int k = 0; k < links_; ++k) {
      const Edge e = edge(p.q, k, corner);
      if (out.balance) pull(out.balance, k, e, p.lambda[k]);
      if (out.reaction) pull(out.reaction, k, e, p.mu[k]);
      if (out.g) out.g[k] = 0.5 * (e.x * e.x + e.y * e.y - square_);
      if (!out.g1 && !out.g2) continue;
      const Edge r = edge(p.v, k, 0.0);
      if (out.g1) out.g1[k] = e.x * r.x + e.y * r.y;
      if (!out.g2) continue;
      out.g2[k] = r.x * r.x + r.y * r.y;
      if (p.a) {
        const Edge w = edge(p.a, k, 0.0);
        out.g2[k] += e.x * w.x + e.y * w.y;
      }
    }
    if (!out.g2 || p.a) return;
    for (int k = 0; k < links_; ++k) {  // a = -balance / mass
      const Edge e = edge(p.q, k, corner), w = edge(out.balance, k, 0.0);
      out.g2[k] -= (e.x * w.x + e.y * w.y) / mass_;
    }
  }

  void differentiate(const Point& p, const std::array<bool, block_count>& wanted, BlockValues& out) override {
    if (wanted[index_of(Block::mass)])
      for (double& x : out[index_of(Block::mass)]) x = mass_;
    if (wanted[index_of(Block::stiffness)]) stiffness(p, out[index_of(Block::stiffness)].data());
    if (wanted[index_of(Block::constraint)]) rows(p.q, span_, out[index_of(Block::constraint)].data());
    if (wanted[index_of(Block::rate)]) rows(p.v, 0.0, out[index_of(Block::rate)].data());
    if (wanted[index_of(Block::acceleration)]) rows(p.a, 0.0, out[index_of(Block::acceleration)].data());
  }

 private:
  struct Edge {
    double x, y;
  };
  // X_(k+1) - X_k of positions, velocities or accelerations, k = 0 .. links - 1.
  Edge edge(const double* x, int k, double end) const {
    Edge e = k < nodes_ ? Edge{x[2 * k], x[2 * k + 1]} : Edge{end, 0.0};
    if (k > 0) e = {e.x - x[2 * k - 2], e.y - x[2 * k - 1]};
    return e;
  }
  void pull(double* force, int k, const Edge& e, double multiplier) const {
    if (k < nodes_) {
      force[2 * k] += e.x * multiplier;
      force[2 * k + 1] += e.y * multiplier;
    }
    if (k > 0) {
      force[2 * k - 2] -= e.x * multiplier;
      force[2 * k - 1] -= e.y * multiplier;
    }
  }
  void stiffness(const Point& p, double* out) const {
    for (int i = 0; i < n_; ++i) {
      const int k = i / 2;
      *out++ = p.lambda[k] + (k + 1 < links_ ? p.lambda[k + 1] : 0.0);
      if (i + 2 < n_) {
        *out++ = -p.lambda[k + 1];
        *out++ = -p.lambda[k + 1];
      }
    }
  }
  void rows(const double* x, double end, double* out) const {
    for (int k = 0; k < links_; ++k) {
      const Edge e = edge(x, k, end);
      for (const double c : {e.x, e.y}) {
        if (k < nodes_) *out++ = c;
        if (k > 0) *out++ = -c;
      }
    }
  }

  int links_, nodes_;
  double square_, span_, mass_;
};

}  // namespace

std::unique_ptr<Mechanism> chain_mechanism(const ChainShape& shape) { return std::make_unique<Chain>(shape); }

}  // namespace bench
