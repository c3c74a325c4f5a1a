// B y' = f(t, y) with constant B that is no mechanism: circuits, index-2 equations, a pendulum on a stiff spring.
#pragma once

#include <memory>

#include "bench/systems.h"

namespace bench {

class LinearSystem {
 public:
  virtual ~LinearSystem() = default;
  int size() const { return size_; }
  const Entries& b() const { return b_; }
  const std::vector<double>& b_values() const { return b_values_; }
  const Entries& entries() const { return entries_; }  // of df/dy
  int index1() const { return index1_; }
  int index2() const { return index2_; }
  int index3() const { return index3_; }
  const std::vector<bool>& algebraic() const { return algebraic_; }
  const std::vector<double>& start() const { return start_; }
  const std::vector<double>& slope() const { return slope_; }  // y' at the start

  virtual void function(double t, const double* y, double* f) = 0;
  virtual void jacobian(double t, const double* y, double* values) = 0;

 protected:
  int size_ = 0, index1_ = 0, index2_ = 0, index3_ = 0;
  Entries b_, entries_;
  std::vector<double> b_values_, start_, slope_;
  std::vector<bool> algebraic_;
};

std::shared_ptr<LinearSystem> transistor_system();
std::shared_ptr<LinearSystem> hlr_index2_system();
// With hints, the components are declared to be of index 1, 2 and 3, as they are in the limit epsilon -> 0.
std::shared_ptr<LinearSystem> stiff_spring_system(double epsilon, bool hints);

std::unique_ptr<LinearlyImplicit> radau_system(LinearSystem& system);
std::unique_ptr<FullyImplicit> residual_system(LinearSystem& system, Storage storage);

}  // namespace bench
