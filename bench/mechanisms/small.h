// Small mechanisms whose values are written by hand, for they are most of what a peer evaluates; derivatives for the
// (few) Jacobians are those of the generic mechanism.
#pragma once

#include <utility>

#include "bench/mechanism.h"

namespace bench {

// Model: constants n, m, bool constant_mass, and evaluate(t, q, v, level, Parts&), which fills what the level asks for.
template <int n, int m>
struct Parts {
  double mass[n][n] = {};  // not filled if it is constant and diagonal
  double force[n];
  double G[m][n] = {};
  double g[m], g_t[m] = {};
  double curvature[m];  // g'' - G a
};

struct Level {
  bool g, g1, g2;  // which of g, g', g'' are wanted, with G always
};

template <class Model>
class SmallMechanism final : public Mechanism {
  static constexpr int n = Model::n, m = Model::m;

 public:
  SmallMechanism(Model model, std::unique_ptr<Mechanism> generic) : model_(model), generic_(std::move(generic)) {
    n_ = n;
    m_ = m;
    diagonal_ = generic_->diagonal_mass();
    for (std::size_t b = 0; b < block_count; ++b) entries_[b] = generic_->entries(static_cast<Block>(b));
  }

  void evaluate(const Point& p, const Values& out) override {
    Parts<n, m> parts;
    model_.evaluate(p.t, p.q, p.v, Level{out.g != nullptr, out.g1 != nullptr, out.g2 != nullptr}, parts);
    double a[n];
    if (out.balance) {
      for (int i = 0; i < n; ++i) {
        double sum = -parts.force[i];
        for (int k = 0; k < m; ++k) sum += parts.G[k][i] * p.lambda[k];
        if constexpr (Model::constant_mass) {
          if (p.a) sum += diagonal_[static_cast<std::size_t>(i)] * p.a[i];
          a[i] = p.a ? p.a[i] : -sum / diagonal_[static_cast<std::size_t>(i)];
        } else {
          for (int j = 0; j < n; ++j) sum += parts.mass[i][j] * p.a[j];
          a[i] = p.a[i];
        }
        out.balance[i] = sum;
      }
    }
    if (out.reaction)
      for (int i = 0; i < n; ++i) {
        out.reaction[i] = 0.0;
        for (int k = 0; k < m; ++k) out.reaction[i] += parts.G[k][i] * p.mu[k];
      }
    for (int k = 0; k < m; ++k) {
      if (out.g) out.g[k] = parts.g[k];
      if (out.g1) out.g1[k] = parts.g_t[k] + product(parts.G[k], p.v);
      if (out.g2) out.g2[k] = parts.curvature[k] + product(parts.G[k], out.balance ? a : p.a);
    }
  }

  void differentiate(const Point& point, const std::array<bool, block_count>& wanted, BlockValues& out) override {
    generic_->differentiate(point, wanted, out);
  }

 private:
  static double product(const double* row, const double* x) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += row[i] * x[i];
    return sum;
  }
  Model model_;
  std::unique_ptr<Mechanism> generic_;
};

}  // namespace bench
