// Problems of index 1 and 2 for the peers, by hand: the transistor amplifier, the index-2 example of Hairer, Lubich and
// Roche type, and the pendulum on a stiff spring.
#include <cmath>
#include <numbers>

#include "bench/linear_system.h"

namespace bench {

namespace {

class Transistor final : public LinearSystem {
 public:
  Transistor() {
    size_ = index1_ = 8;
    const auto capacitor = [&](int i, double c) {
      add_b(i, i, -c);
      add_b(i + 1, i + 1, -c);
      add_b(i, i + 1, c);
      add_b(i + 1, i, c);
    };
    capacitor(0, 1e-6);
    add_b(2, 2, -2e-6);
    capacitor(3, 3e-6);
    add_b(5, 5, -4e-6);
    capacitor(6, 5e-6);
    for (int i = 0; i < 8; ++i) entries_.add(i, i);
    for (const int k : {1, 4})
      for (const auto& [i, j] :
           {std::pair(k, k + 1), std::pair(k + 1, k), std::pair(k + 2, k), std::pair(k + 2, k + 1)})
        entries_.add(i, j);
    algebraic_.assign(8, false);  // B is singular, but no component alone is algebraic
    start_ = {0.0, 3.0, 3.0, 6.0, 3.0, 3.0, 6.0, 0.0};
    // Both sides of each capacitor move together at first, as B y' = f says: y2' + y5' and so on are determined.
    slope_.assign(8, 0.0);
    set_slope();
  }

  void function(double t, const double* y, double* f) override {
    const double first = diode(y[1] - y[2]), second = diode(y[4] - y[5]);
    f[0] = (y[0] - 0.1 * std::sin(200.0 * std::numbers::pi * t)) / R0;
    f[1] = (2.0 * y[1] - Ub) / R + (1.0 - alpha) * first;
    f[2] = y[2] / R - first;
    f[3] = (y[3] - Ub) / R + alpha * first;
    f[4] = (2.0 * y[4] - Ub) / R + (1.0 - alpha) * second;
    f[5] = y[5] / R - second;
    f[6] = (y[6] - Ub) / R + alpha * second;
    f[7] = y[7] / R;
  }

  void jacobian(double, const double* y, double* out) override {
    const double slopes[2] = {beta / UF * std::exp((y[1] - y[2]) / UF), beta / UF * std::exp((y[4] - y[5]) / UF)};
    *out++ = 1.0 / R0;
    for (const double s : slopes) {
      *out++ = 2.0 / R + (1.0 - alpha) * s;
      *out++ = 1.0 / R + s;
      *out++ = 1.0 / R;
    }
    *out++ = 1.0 / R;
    for (const double s : slopes) {
      *out++ = -(1.0 - alpha) * s;
      *out++ = -s;
      *out++ = alpha * s;
      *out++ = -alpha * s;
    }
  }

 private:
  static constexpr double Ub = 6.0, UF = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000.0, R = 9000.0;
  static double diode(double v) { return beta * (std::exp(v / UF) - 1.0); }

  void add_b(int i, int j, double value) {
    b_.add(i, j);
    b_values_.push_back(value);
  }

  // B y' = f determines differences y_i' - y_(i+1)' over the capacitors; the constraints f_1 + f_2 = 0, f_4 + f_5 = 0,
  // f_7 + f_8 = 0, differentiated, the rest.
  void set_slope() {
    double f[8], j[16];
    function(0.0, start_.data(), f);
    jacobian(0.0, start_.data(), j);
    const double s1 = j[2] - 1.0 / R, s2 = j[5] - 1.0 / R;
    slope_[2] = f[2] / -2e-6;
    slope_[5] = f[5] / -4e-6;
    const double input = -0.1 * 200.0 * std::numbers::pi / R0;  // df_1/dt
    // y1' = y2' + d with -1e-6 (y1' - y2') = f_1
    const double d1 = -f[0] / 1e-6, d2 = -f[3] / 3e-6, d3 = -f[6] / 5e-6;
    const double a1 = 2.0 / R + (1.0 - alpha) * s1;
    slope_[1] = -(d1 / R0 + input - (1.0 - alpha) * s1 * slope_[2]) / (1.0 / R0 + a1);
    slope_[0] = slope_[1] + d1;
    const double a2 = 2.0 / R + (1.0 - alpha) * s2;
    const double known = alpha * s1 * (slope_[1] - slope_[2]) - (1.0 - alpha) * s2 * slope_[5];
    slope_[4] = -(d2 / R + known) / (1.0 / R + a2);
    slope_[3] = slope_[4] + d2;
    slope_[7] = -(d3 / R + alpha * s2 * (slope_[4] - slope_[5])) / (2.0 / R);
    slope_[6] = slope_[7] + d3;
  }
};

class HlrIndex2 final : public LinearSystem {
 public:
  HlrIndex2() {
    size_ = 3;
    index1_ = 2;
    index2_ = 1;
    for (int i = 0; i < 2; ++i) b_.add(i, i);
    b_values_ = {1.0, 1.0};
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        if (i < 2 || j < 2) entries_.add(i, j);
    algebraic_ = {false, false, true};
    start_ = {1.0, 1.0, 1.0};
    slope_ = {1.0, -2.0, 2.0};
  }
  void function(double, const double* y, double* f) override {
    const double square = y[1] * y[1];
    f[0] = y[0] * square * y[2] * y[2];
    f[1] = y[0] * y[0] * square - 3.0 * square * y[2];
    f[2] = y[0] * y[0] * y[1] - 1.0;
  }
  void jacobian(double, const double* y, double* out) override {
    const double square = y[1] * y[1];
    const double values[8] = {square * y[2] * y[2],
                              2.0 * y[0] * square,
                              2.0 * y[0] * y[1],
                              2.0 * y[0] * y[1] * y[2] * y[2],
                              2.0 * y[1] * (y[0] * y[0] - 3.0 * y[2]),
                              y[0] * y[0],
                              2.0 * y[0] * square * y[2],
                              -3.0 * square};
    for (const double value : values) *out++ = value;
  }
};

class StiffSpring final : public LinearSystem {
 public:
  StiffSpring(double epsilon, bool hints) : square_(epsilon * epsilon) {
    size_ = index1_ = 5;
    if (hints) {
      index1_ = index2_ = 2;
      index3_ = 1;
    }
    for (int i = 0; i < 4; ++i) b_.add(i, i);
    b_values_.assign(4, 1.0);
    entries_.add(0, 2);
    entries_.add(1, 3);
    entries_.add(2, 0);
    entries_.add(3, 1);
    entries_.add(2, 4);
    entries_.add(3, 4);
    for (const int j : {0, 1, 4}) entries_.add(4, j);
    algebraic_ = {false, false, false, false, true};
    start_ = {1.0, 0.0, 0.0, 0.0, 0.0};
    slope_ = {0.0, 0.0, 0.0, -1.0, 0.0};
  }
  void function(double, const double* y, double* f) override {
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -y[4] * y[0];
    f[3] = -1.0 - y[4] * y[1];
    const double r = std::sqrt(y[0] * y[0] + y[1] * y[1]);
    f[4] = square_ * y[4] * r - (r - 1.0);
  }
  void jacobian(double, const double* y, double* out) override {
    const double r = std::sqrt(y[0] * y[0] + y[1] * y[1]), slope = (square_ * y[4] - 1.0) / r;
    const double values[9] = {1.0, 1.0, -y[4], -y[4], -y[0], -y[1], slope * y[0], slope * y[1], square_ * r};
    for (const double value : values) *out++ = value;
  }

 private:
  double square_;
};

}  // namespace

std::shared_ptr<LinearSystem> transistor_system() { return std::make_shared<Transistor>(); }
std::shared_ptr<LinearSystem> hlr_index2_system() { return std::make_shared<HlrIndex2>(); }
std::shared_ptr<LinearSystem> stiff_spring_system(double epsilon, bool hints) {
  return std::make_shared<StiffSpring>(epsilon, hints);
}

}  // namespace bench
