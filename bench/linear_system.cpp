#include "bench/linear_system.h"

#include <algorithm>

namespace bench {

namespace {

class RadauLinear final : public LinearlyImplicit {
 public:
  explicit RadauLinear(LinearSystem& system) : system_(system), values_(system.entries().size()) {
    size_ = lower_ = upper_ = system.size();
    index1_ = system.index1();
    index2_ = system.index2();
    index3_ = system.index3();
    for (std::size_t k = 0; k < system.b().size(); ++k) {
      mass_lower_ = std::max(mass_lower_, system.b().row[k] - system.b().col[k]);
      mass_upper_ = std::max(mass_upper_, system.b().col[k] - system.b().row[k]);
    }
    BandOrder natural;
    for (int i = 0; i < size_; ++i) natural.place.push_back(i);
    Assembly mass;
    mass.add(system.b(), system.b_values(), {0, 0});
    mass.store_band(natural, mass_upper_, mass_lower_ + mass_upper_ + 1);
    mass_.resize(mass.size());
    mass.fill(0.0, mass_.data());
    matrix_.add(system.entries(), values_, {0, 0});
    matrix_.store_dense(0, size_, size_);
  }
  void function(double t, const double* y, double* f) override { system_.function(t, y, f); }
  void jacobian(double t, const double* y, double* out) override {
    system_.jacobian(t, y, values_.data());
    matrix_.fill(0.0, out);
  }
  std::vector<double> start() const override { return system_.start(); }
  std::vector<double> result(const std::vector<double>& y) const override { return y; }

 private:
  LinearSystem& system_;
  std::vector<double> values_;
  Assembly matrix_;
};

class ResidualLinear final : public FullyImplicit {
 public:
  ResidualLinear(LinearSystem& system, Storage storage) : system_(system), values_(system.entries().size()) {
    size_ = system.size();
    algebraic_ = system.algebraic();
    matrix_.add(system.entries(), values_, {0, 0, -1.0});
    matrix_.add(system.b(), system.b_values(), {0, 0, 1.0, true});
    store(storage);
  }
  void residual(double t, const double* y, const double* yp, double* out) override {
    system_.function(t, y, out);
    for (int i = 0; i < size_; ++i) out[i] = -out[i];
    const Entries& b = system_.b();
    for (std::size_t k = 0; k < b.size(); ++k) out[b.row[k]] += system_.b_values()[k] * yp[b.col[k]];
  }
  void jacobian(double t, const double* y, const double*, double cj, double* out) override {
    system_.jacobian(t, y, values_.data());
    matrix_.fill(cj, out);
  }
  void start(std::vector<double>& y, std::vector<double>& yp) const override {
    y = system_.start();
    yp = system_.slope();
  }
  std::vector<double> result(const std::vector<double>& y) const override { return y; }

 private:
  LinearSystem& system_;
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<LinearlyImplicit> radau_system(LinearSystem& system) { return std::make_unique<RadauLinear>(system); }

std::unique_ptr<FullyImplicit> residual_system(LinearSystem& system, Storage storage) {
  return std::make_unique<ResidualLinear>(system, storage);
}

}  // namespace bench
