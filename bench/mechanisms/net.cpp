// The net of testset/rod_net.cpp with sparse derivatives by hand.
//     g_k = (|e_k|^2 - l^2) / 2,   e_k = X_a - X_b for the knots a and b of rod k; b may be a hook.
#include "bench/mechanism.h"

namespace bench {

namespace {

class Net final : public Mechanism {
 public:
  explicit Net(int side) : side_(side), length_(1.0 / side), mass_(length_ * length_) {
    n_ = 3 * side * side;
    m_ = 2 * side * side - side;
    diagonal_.assign(static_cast<std::size_t>(n_), mass_);
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) rods_.push_back({knot(i, j), j > 0 ? knot(i, j - 1) : hook, (i + 0.5) * length_});
    for (int j = 0; j < side; ++j)
      for (int i = 0; i + 1 < side; ++i) rods_.push_back({knot(i, j), knot(i + 1, j), 0.0});
    for (const Block block : {Block::mass, Block::damping})
      for (int i = 0; i < n_; ++i) entries_[index_of(block)].add(i, i);
    add_stiffness();
    for (const Block block : {Block::constraint, Block::rate, Block::acceleration})
      for (int k = 0; k < m_; ++k)
        for (int c = 0; c < 3; ++c) {
          entries_[index_of(block)].add(k, 3 * rod(k).a + c);
          if (rod(k).b != hook) entries_[index_of(block)].add(k, 3 * rod(k).b + c);
        }
  }

  void evaluate(const Point& p, const Values& out) override {
    if (out.balance) balance(p, out.balance);
    if (out.reaction)
      for (int i = 0; i < n_; ++i) out.reaction[i] = 0.0;
    for (int k = 0; k < m_; ++k) {
      double square = -length_ * length_, rate = 0.0, second = 0.0;
      for (int c = 0; c < 3; ++c) {
        const double e = edge(p.q, k, c, true);
        if (out.balance) pull(out.balance, k, c, e * p.lambda[k]);
        if (out.reaction) pull(out.reaction, k, c, e * p.mu[k]);
        square += e * e;
        if (!out.g1 && !out.g2) continue;
        const double r = edge(p.v, k, c, false);
        rate += e * r;
        second += r * r + (p.a ? e * edge(p.a, k, c, false) : 0.0);
      }
      if (out.g) out.g[k] = 0.5 * square;
      if (out.g1) out.g1[k] = rate;
      if (out.g2) out.g2[k] = second;
    }
    if (!out.g2 || p.a) return;
    for (int k = 0; k < m_; ++k)  // a = -balance / mass
      for (int c = 0; c < 3; ++c) out.g2[k] -= edge(p.q, k, c, true) * edge(out.balance, k, c, false) / mass_;
  }

  void differentiate(const Point& p, const std::array<bool, block_count>& wanted, BlockValues& out) override {
    if (wanted[index_of(Block::mass)])
      for (double& x : out[index_of(Block::mass)]) x = mass_;
    if (wanted[index_of(Block::damping)])
      for (double& x : out[index_of(Block::damping)]) x = drag * mass_;
    if (wanted[index_of(Block::stiffness)]) stiffness(p, out[index_of(Block::stiffness)].data());
    if (wanted[index_of(Block::constraint)]) rows(p.q, true, out[index_of(Block::constraint)].data());
    if (wanted[index_of(Block::rate)]) rows(p.v, false, out[index_of(Block::rate)].data());
    if (wanted[index_of(Block::acceleration)]) rows(p.a, false, out[index_of(Block::acceleration)].data());
  }

 private:
  static constexpr int hook = -1;
  static constexpr double gravity = 9.81, side_pull = 5.0, drag = 0.5;
  struct Rod {
    int a, b;
    double x;  // of the hook
  };

  int knot(int i, int j) const { return j * side_ + i; }
  const Rod& rod(int k) const { return rods_[static_cast<std::size_t>(k)]; }
  double edge(const double* x, int k, int c, bool is_position) const {
    const Rod& r = rod(k);
    if (r.b != hook) return x[3 * r.a + c] - x[3 * r.b + c];
    return x[3 * r.a + c] - (is_position && c == 0 ? r.x : 0.0);
  }
  void pull(double* force, int k, int c, double size) const {
    force[3 * rod(k).a + c] += size;
    if (rod(k).b != hook) force[3 * rod(k).b + c] -= size;
  }
  void balance(const Point& p, double* out) const {
    for (int i = 0; i < n_; ++i) out[i] = drag * mass_ * p.v[i] + (p.a ? mass_ * p.a[i] : 0.0);
    for (int k = 0; k < side_ * side_; ++k) out[3 * k + 1] += gravity * mass_;
    for (int j = 0; j < side_; ++j) {
      out[3 * knot(0, j)] += side_pull * length_;
      out[3 * knot(side_ - 1, j)] -= side_pull * length_;
    }
  }
  // Entries of one place are added up when the matrix is put together.
  void add_stiffness() {
    Entries& stiffness = entries_[index_of(Block::stiffness)];
    for (int k = 0; k < m_; ++k)
      for (int c = 0; c < 3; ++c) {
        const int a = 3 * rod(k).a + c, b = 3 * rod(k).b + c;
        stiffness.add(a, a);
        if (rod(k).b == hook) continue;
        stiffness.add(b, b);
        stiffness.add(a, b);
        stiffness.add(b, a);
      }
  }
  void stiffness(const Point& p, double* out) const {
    for (int k = 0; k < m_; ++k)
      for (int c = 0; c < 3; ++c) {
        *out++ = p.lambda[k];
        if (rod(k).b == hook) continue;
        *out++ = p.lambda[k];
        *out++ = -p.lambda[k];
        *out++ = -p.lambda[k];
      }
  }
  void rows(const double* x, bool is_position, double* out) const {
    for (int k = 0; k < m_; ++k)
      for (int c = 0; c < 3; ++c) {
        const double e = edge(x, k, c, is_position);
        *out++ = e;
        if (rod(k).b != hook) *out++ = -e;
      }
  }

  int side_;
  double length_, mass_;
  std::vector<Rod> rods_;
};

}  // namespace

std::unique_ptr<Mechanism> net_mechanism(int side) { return std::make_unique<Net>(side); }

}  // namespace bench
