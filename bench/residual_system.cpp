// A mechanism for IDA and DASPK.
#include <algorithm>

#include "bench/systems.h"

namespace bench {

void FullyImplicit::store(Storage storage) {
  storage_ = storage;
  if (storage == Storage::dense) matrix_.store_dense(0, size_, size_);
  if (storage == Storage::sparse) matrix_.store_sparse(size_);
  if (storage == Storage::band) {
    band_ = matrix_.band_order(size_);
    matrix_.store_band(band_, band_.lower + band_.upper, 2 * band_.lower + band_.upper + 1);
  }
}

namespace {

class ResidualMechanism final : public FullyImplicit {
 public:
  ResidualMechanism(Mechanism& mechanism, const MechanismStart& start, const ResidualChoice& choice)
      : mechanism_(mechanism), start_(start), choice_(choice), n_(mechanism.n()), m_(mechanism.m()) {
    lambda_ = 2 * n_;
    mu_ = lambda_ + m_;
    size_ = choice.form == Form::ggl ? mu_ + m_ : mu_;
    algebraic_.assign(static_cast<std::size_t>(size_), true);
    std::fill(algebraic_.begin(), algebraic_.begin() + 2 * n_, false);
    for (std::size_t b = 0; b < block_count; ++b)
      blocks_[b].assign(mechanism.entries(static_cast<Block>(b)).size(), 0.0);
    g_.resize(static_cast<std::size_t>(m_));
    g1_.resize(static_cast<std::size_t>(m_));
    reaction_.resize(static_cast<std::size_t>(n_));
    add_blocks();
    store(choice.storage);
    if (choice.storage != Storage::band) return;
    for (std::vector<double>* memory : {&y_, &yp_, &r_}) memory->resize(static_cast<std::size_t>(size_));
    const std::vector<bool> plain = algebraic_;
    for (std::size_t i = 0; i < plain.size(); ++i) algebraic_[static_cast<std::size_t>(band_.place[i])] = plain[i];
  }

  void residual(double t, const double* y, const double* yp, double* out) override {
    if (choice_.storage != Storage::band) return plain_residual(t, y, yp, out);
    gather(y, y_);
    gather(yp, yp_);
    plain_residual(t, y_.data(), yp_.data(), r_.data());
    for (std::size_t i = 0; i < r_.size(); ++i) out[band_.place[i]] = r_[i];
  }

  void jacobian(double t, const double* y, const double* yp, double cj, double* out) override {
    if (choice_.storage == Storage::band) {
      gather(y, y_);
      gather(yp, yp_);
      y = y_.data();
      yp = yp_.data();
    }
    mechanism_.differentiate({t, y, y + n_, yp + n_, y + lambda_, y + mu_}, wanted_, blocks_);
    matrix_.fill(cj, out);
  }

  void start(std::vector<double>& y, std::vector<double>& yp) const override {
    y = start_.q;
    y.insert(y.end(), start_.v.begin(), start_.v.end());
    y.insert(y.end(), start_.lambda.begin(), start_.lambda.end());
    y.resize(static_cast<std::size_t>(size_), 0.0);
    yp = start_.v;
    yp.insert(yp.end(), start_.a.begin(), start_.a.end());
    yp.resize(static_cast<std::size_t>(size_), 0.0);
    if (choice_.storage != Storage::band) return;
    const std::vector<double> plain = y, plain_p = yp;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      y[static_cast<std::size_t>(band_.place[i])] = plain[i];
      yp[static_cast<std::size_t>(band_.place[i])] = plain_p[i];
    }
  }

  std::vector<double> result(const std::vector<double>& y) const override {
    std::vector<double> state(static_cast<std::size_t>(mu_));
    for (std::size_t i = 0; i < state.size(); ++i)
      state[i] = choice_.storage == Storage::band ? y[static_cast<std::size_t>(band_.place[i])] : y[i];
    return state;
  }

 private:
  void gather(const double* from, std::vector<double>& to) const {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[band_.place[i]];
  }

  void plain_residual(double t, const double* y, const double* yp, double* out) {
    const Mechanism::Point point{t, y, y + n_, yp + n_, y + lambda_, y + mu_};
    Mechanism::Values values{.balance = out + n_};
    if (choice_.form == Form::ggl) {
      values.g = out + lambda_;
      values.g1 = out + mu_;
      values.reaction = reaction_.data();
    } else {
      values.g2 = out + lambda_;
    }
    if (choice_.form == Form::baumgarte) {
      values.g = g_.data();
      values.g1 = g1_.data();
    }
    mechanism_.evaluate(point, values);
    for (int i = 0; i < n_; ++i) out[i] = yp[i] - y[n_ + i];
    if (choice_.form == Form::ggl)
      for (int i = 0; i < n_; ++i) out[i] += reaction_[static_cast<std::size_t>(i)];
    if (choice_.form == Form::baumgarte)
      for (int k = 0; k < m_; ++k)
        out[lambda_ + k] +=
            choice_.rate * (2.0 * g1_[static_cast<std::size_t>(k)] + choice_.rate * g_[static_cast<std::size_t>(k)]);
  }

  void add_blocks() {
    matrix_.add_identity(n_, {0, 0, 1.0, true});
    matrix_.add_identity(n_, {0, n_, -1.0});
    add(Block::stiffness, {n_, 0});
    add(Block::damping, {n_, n_});
    add(Block::mass, {n_, n_, 1.0, true});
    add(Block::constraint, {n_, lambda_, 1.0, false, true});
    if (choice_.form == Form::ggl) {
      add(Block::constraint, {0, mu_, 1.0, false, true});
      add(Block::constraint, {lambda_, 0});
      add(Block::rate, {mu_, 0});
      add(Block::constraint, {mu_, n_});
      return;
    }
    add(Block::acceleration, {lambda_, 0});
    add(Block::rate, {lambda_, n_, 2.0});
    add(Block::constraint, {lambda_, n_, 1.0, true});
    if (choice_.form != Form::baumgarte) return;
    add(Block::rate, {lambda_, 0, 2.0 * choice_.rate});
    add(Block::constraint, {lambda_, n_, 2.0 * choice_.rate});
    add(Block::constraint, {lambda_, 0, choice_.rate * choice_.rate});
  }

  void add(Block block, const Assembly::Placement& placement) {
    wanted_[index_of(block)] = true;
    matrix_.add(mechanism_.entries(block), blocks_[index_of(block)], placement);
  }

  Mechanism& mechanism_;
  MechanismStart start_;
  ResidualChoice choice_;
  int n_, m_, lambda_ = 0, mu_ = 0;
  BlockValues blocks_;
  std::array<bool, block_count> wanted_ = {};
  std::vector<double> g_, g1_, reaction_, y_, yp_, r_;
};

}  // namespace

std::unique_ptr<FullyImplicit> residual_system(Mechanism& mechanism, const MechanismStart& start,
                                               const ResidualChoice& choice) {
  return std::make_unique<ResidualMechanism>(mechanism, start, choice);
}

}  // namespace bench
