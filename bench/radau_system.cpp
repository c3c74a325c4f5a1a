// A mechanism for RADAU5.
#include <algorithm>
#include <optional>
#include <stdexcept>

#include "bench/elimination.h"
#include "bench/systems.h"

namespace bench {

namespace {

class RadauMechanism final : public LinearlyImplicit {
 public:
  RadauMechanism(Mechanism& mechanism, const MechanismStart& start, const RadauChoice& choice)
      : mechanism_(mechanism), start_(start), choice_(choice), n_(mechanism.n()), m_(mechanism.m()) {
    constant_ = !mechanism.diagonal_mass().empty();
    lambda_ = constant_ ? 2 * n_ : 3 * n_;
    mu_ = lambda_ + m_;
    size_ = choice.form == Form::ggl ? mu_ + m_ : mu_;
    accelerations_.resize(static_cast<std::size_t>(n_));
    reaction_.resize(static_cast<std::size_t>(n_));
    for (std::size_t b = 0; b < block_count; ++b)
      blocks_[b].assign(mechanism.entries(static_cast<Block>(b)).size(), 0.0);
    set_indices();
    set_structure();
    set_mass();
    add_blocks();
    store();
  }

  void function(double t, const double* y, double* f) override {
    if (choice_.band) {
      for (std::size_t i = 0; i < order_.place.size(); ++i) unpermuted_[i] = y[order_.place[i]];
      plain_function(t, unpermuted_.data(), permuted_f_.data());
      for (std::size_t i = 0; i < order_.place.size(); ++i) f[order_.place[i]] = permuted_f_[i];
      return;
    }
    plain_function(t, y, f);
  }

  void jacobian(double t, const double* y, double* out) override {
    if (choice_.band) {
      for (std::size_t i = 0; i < order_.place.size(); ++i) unpermuted_[i] = y[order_.place[i]];
      y = unpermuted_.data();
    }
    Mechanism::Point point{t, y, y + n_, y + 2 * n_, y + lambda_, y + mu_};
    if (constant_) {
      point.a = nullptr;
      if (wanted_[index_of(Block::acceleration)]) {
        mechanism_.evaluate(point, {.balance = accelerations_.data()});
        for (std::size_t i = 0; i < accelerations_.size(); ++i)
          accelerations_[i] = -accelerations_[i] / mechanism_.diagonal_mass()[i];
      }
      point.a = accelerations_.data();
    }
    mechanism_.differentiate(point, wanted_, blocks_);
    if (elimination_) elimination_->update(!choice_.approximate);
    matrix_.fill(0.0, out);
  }

  std::vector<double> start() const override {
    std::vector<double> y = start_.q;
    y.insert(y.end(), start_.v.begin(), start_.v.end());
    if (!constant_) y.insert(y.end(), start_.a.begin(), start_.a.end());
    y.insert(y.end(), start_.lambda.begin(), start_.lambda.end());
    y.resize(static_cast<std::size_t>(size_), 0.0);
    if (!choice_.band) return y;
    std::vector<double> reordered(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) reordered[static_cast<std::size_t>(order_.place[i])] = y[i];
    return reordered;
  }

  std::vector<double> result(const std::vector<double>& y) const override {
    std::vector<double> state;
    const auto append = [&](int first, int count) {
      for (int i = first; i < first + count; ++i)
        state.push_back(y[static_cast<std::size_t>(choice_.band ? order_.place[static_cast<std::size_t>(i)] : i)]);
    };
    append(0, 2 * n_);
    append(lambda_, m_);
    return state;
  }

 private:
  void plain_function(double t, const double* y, double* f) {
    const Mechanism::Point point{t, y, y + n_, constant_ ? nullptr : y + 2 * n_, y + lambda_, y + mu_};
    double* constraint = f + lambda_;
    Mechanism::Values values{.balance = f + (constant_ ? n_ : 2 * n_)};
    if (choice_.form == Form::index1)
      values.g2 = constraint;
    else
      values.g = constraint;
    if (choice_.form == Form::ggl) {
      values.g1 = f + mu_;
      values.reaction = reaction_.data();
    }
    mechanism_.evaluate(point, values);
    std::copy(y + n_, y + 2 * n_, f);
    if (constant_)
      for (int i = n_; i < 2 * n_; ++i) f[i] = -f[i];
    else
      std::copy(y + 2 * n_, y + 3 * n_, f + n_);
    if (choice_.form == Form::ggl)
      for (int i = 0; i < n_; ++i) f[i] -= reaction_[static_cast<std::size_t>(i)];
  }

  void set_indices() {
    index1_ = size_;
    if (choice_.form == Form::ggl) {
      index1_ = 2 * n_;
      index2_ = size_ - index1_;
    } else if (choice_.form == Form::index3) {
      index1_ = index2_ = n_;
      index3_ = size_ - 2 * n_;
    }
  }

  void set_structure() {
    if (choice_.form == Form::ggl || choice_.band || !choice_.second_order) return;
    m1_ = constant_ ? n_ : 2 * n_;
    m2_ = n_;
  }

  void set_mass() {
    std::vector<double> diagonal(static_cast<std::size_t>(size_), 0.0);
    std::fill(diagonal.begin(), diagonal.begin() + 2 * n_, 1.0);
    if (constant_)
      std::copy(mechanism_.diagonal_mass().begin(), mechanism_.diagonal_mass().end(), diagonal.begin() + n_);
    mass_.assign(diagonal.begin() + m1_, diagonal.end());
  }

  void add_blocks() {
    const bool exact = !choice_.approximate;
    const int balance = constant_ ? n_ : 2 * n_;  // its row
    const double sign = constant_ ? -1.0 : 1.0;
    matrix_.add_identity(n_, {0, n_});
    if (!constant_) {
      matrix_.add_identity(n_, {n_, 2 * n_});
      add(Block::mass, {balance, 2 * n_});
    }
    if (exact) {
      add(Block::stiffness, {balance, 0, sign});
      add(Block::damping, {balance, n_, sign});
    }
    add(Block::constraint, {balance, lambda_, sign, false, true});
    if (choice_.form == Form::index1) {
      add_acceleration_constraint(exact);
      return;
    }
    add(Block::constraint, {lambda_, 0});
    if (choice_.form != Form::ggl) return;
    add(Block::constraint, {0, mu_, -1.0, false, true});
    add(Block::constraint, {mu_, n_});
    if (exact) add(Block::rate, {mu_, 0});
  }

  void add_acceleration_constraint(bool exact) {
    if (!constant_) {
      add(Block::constraint, {lambda_, 2 * n_});
      if (!exact) return;
      add(Block::acceleration, {lambda_, 0});
      add(Block::rate, {lambda_, n_, 2.0});
      return;
    }
    elimination_.emplace(mechanism_, blocks_);
    const int columns[3] = {0, n_, lambda_};
    for (int k = exact ? 0 : 2; k < 3; ++k)
      matrix_.add(elimination_->entries(k), elimination_->values(k), {lambda_, columns[k]});
    wanted_[index_of(Block::rate)] = wanted_[index_of(Block::acceleration)] = exact;
  }

  void add(Block block, const Assembly::Placement& placement) {
    wanted_[index_of(block)] = true;
    matrix_.add(mechanism_.entries(block), blocks_[index_of(block)], placement);
  }

  void store() {
    if (!choice_.band) {
      lower_ = upper_ = size_ - m1_;
      matrix_.store_dense(m1_, size_ - m1_, size_);
      return;
    }
    if (choice_.form != Form::index1) throw std::runtime_error("a band is possible for index 1 only");
    order_ = matrix_.band_order(size_);
    lower_ = order_.lower;
    upper_ = order_.upper;
    unpermuted_.resize(order_.place.size());
    permuted_f_.resize(order_.place.size());
    std::vector<double> diagonal(mass_.size());
    for (std::size_t i = 0; i < mass_.size(); ++i) diagonal[static_cast<std::size_t>(order_.place[i])] = mass_[i];
    mass_ = diagonal;
    matrix_.store_band(order_, upper_, lower_ + upper_ + 1);
  }

  Mechanism& mechanism_;
  MechanismStart start_;
  RadauChoice choice_;
  int n_, m_, lambda_, mu_;
  bool constant_;
  BlockValues blocks_;
  std::array<bool, block_count> wanted_ = {};
  std::optional<Elimination> elimination_;
  Assembly matrix_;
  BandOrder order_;
  std::vector<double> accelerations_, reaction_, unpermuted_, permuted_f_;
};

}  // namespace

std::unique_ptr<LinearlyImplicit> radau_system(Mechanism& mechanism, const MechanismStart& start,
                                               const RadauChoice& choice) {
  return std::make_unique<RadauMechanism>(mechanism, start, choice);
}

}  // namespace bench
