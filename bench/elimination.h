// Index 1 with the accelerations eliminated, a = D^-1 (F - G^T lambda) for a constant diagonal mass matrix D: the
// derivatives of g''(q, v, a(q, v, lambda)), as sums of products of the blocks of a mechanism.
#pragma once

#include "bench/mechanism.h"

namespace bench {

class Elimination {
 public:
  // `values` are read by update() and must stay where they are.
  Elimination(const Mechanism& mechanism, const BlockValues& values);
  void update(bool all);  // or only the derivative by lambda

  // By q, v and lambda.
  const Entries& entries(int k) const { return parts_[static_cast<std::size_t>(k)].entries; }
  const std::vector<double>& values(int k) const { return parts_[static_cast<std::size_t>(k)].values; }

 private:
  // out -= G(k, i) / D(i) * factor(i, j), one product for each pair of entries that meet.
  struct Product {
    std::size_t g, other, out;
    double per_mass;
  };
  struct Part {
    Entries entries = {};
    std::vector<double> values = {};
    std::vector<Product> products = {};
    const std::vector<double>* other = nullptr;
    // values begin with factor * direct at the places `direct_place`
    const std::vector<double>* direct = nullptr;
    std::vector<std::size_t> direct_place = {};
    double factor = 0.0;
  };
  Part make_part(const Mechanism& mechanism, const Entries& other, bool transposed, const std::vector<double>& values);
  static void add_direct(Part& part, const Entries& direct, const std::vector<double>& values, double factor);

  const std::vector<double>& g_;
  std::array<Part, 3> parts_;
};

}  // namespace bench
