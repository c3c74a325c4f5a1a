// A problem as the peers want it: B y' = f(t, y) with constant B for RADAU5, F(t, y, y') = 0 for IDA and DASPK.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/assembly.h"

namespace bench {

// B y' = f(t, y). Storage of the Jacobian: dense, the rows after m1; or a band, if lower < size.
class LinearlyImplicit {
 public:
  virtual ~LinearlyImplicit() = default;
  int size() const { return size_; }
  // y_i' = y_(i + m2) for i <= m1, which RADAU5 eliminates by itself.
  int m1() const { return m1_; }
  int m2() const { return m2_; }
  int index1() const { return index1_; }
  int index2() const { return index2_; }
  int index3() const { return index3_; }
  int lower() const { return lower_; }
  int upper() const { return upper_; }
  bool banded() const { return lower_ < size_ - m1_; }
  // Diagonals of B from the uppermost to the lowest, without the first m1 rows: entry (i, j) at [i - j + mass_upper + j
  // (mass_lower + mass_upper + 1)].
  const std::vector<double>& mass() const { return mass_; }
  int mass_lower() const { return mass_lower_; }
  int mass_upper() const { return mass_upper_; }

  virtual void function(double t, const double* y, double* f) = 0;
  virtual void jacobian(double t, const double* y, double* out) = 0;
  virtual std::vector<double> start() const = 0;
  virtual std::vector<double> result(const std::vector<double>& y) const = 0;  // in the layout of the reference

 protected:
  int size_ = 0, m1_ = 0, m2_ = 0, index1_ = 0, index2_ = 0, index3_ = 0, lower_ = 0, upper_ = 0;
  int mass_lower_ = 0, mass_upper_ = 0;
  std::vector<double> mass_;
};

enum class Storage { dense, band, sparse };

// F(t, y, y') = 0.
class FullyImplicit {
 public:
  virtual ~FullyImplicit() = default;
  int size() const { return size_; }
  const std::vector<bool>& algebraic() const { return algebraic_; }
  Storage storage() const { return storage_; }
  const Assembly& matrix() const { return matrix_; }
  int lower() const { return band_.lower; }  // banded storage: that of LINPACK, with room for pivoting on top
  int upper() const { return band_.upper; }

  virtual void residual(double t, const double* y, const double* yp, double* out) = 0;
  virtual void jacobian(double t, const double* y, const double* yp, double cj, double* out) = 0;
  virtual void start(std::vector<double>& y, std::vector<double>& yp) const = 0;
  virtual std::vector<double> result(const std::vector<double>& y) const = 0;

 protected:
  void store(Storage storage);  // after the blocks are added to matrix_

  int size_ = 0;
  std::vector<bool> algebraic_;
  Storage storage_ = Storage::dense;
  Assembly matrix_;
  BandOrder band_;
};

// The state of a mechanism at the start, with the accelerations.
struct MechanismStart {
  double t = 0.0;
  std::vector<double> q = {}, v = {}, a = {}, lambda = {};
};

enum class Form {
  index3,     // g = 0
  ggl,        // g = 0 and g' = 0 with a second multiplier
  index1,     // g'' = 0
  baumgarte,  // g'' + 2 rate g' + rate^2 g = 0
};

struct RadauChoice {
  Form form = Form::index3;
  bool second_order = true;  // tell RADAU5 that q' = v (and v' = w)
  bool approximate = false;  // only M and G in the Jacobian
  bool band = false;         // reorder and use the band; index 1 only
};
// The mechanism must outlive the system. Unknowns (q, v, lambda) if the mass matrix is constant and diagonal, else
// (q, v, w = v', lambda).
std::unique_ptr<LinearlyImplicit> radau_system(Mechanism& mechanism, const MechanismStart& start,
                                               const RadauChoice& choice);

struct ResidualChoice {
  Form form = Form::ggl;
  Storage storage = Storage::dense;
  double rate = 0.0;  // of Baumgarte's stabilisation
};
// Unknowns (q, v, lambda), the accelerations are v'.
std::unique_ptr<FullyImplicit> residual_system(Mechanism& mechanism, const MechanismStart& start,
                                               const ResidualChoice& choice);

}  // namespace bench
