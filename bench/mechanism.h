// A constrained mechanism as the peers see it: one pass for the values, one for the derivatives, from which every form
// (index 3, 2, 1) of every peer is put together. With q' = v, q'' = a:
//     balance = M(q, t) a - F(q, v, t) + G(q, t)^T lambda = 0,   g(q, t) = 0,   g' = 0,   g'' = 0,   G = dg/dq.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "driftless/equations/mechanical.h"

namespace bench {

// The derivatives that the forms are made of. dg'/dv = G and dg''/dv = 2 dg'/dq, so they are not listed.
enum class Block { stiffness, damping, mass, constraint, rate, acceleration };
inline constexpr std::size_t block_count = 6;
//   stiffness = d balance/dq, damping = d balance/dv, mass = M, constraint = G, rate = dg'/dq, acceleration = dg''/dq

// Where the entries of a block are, in the order in which their values are given.
struct Entries {
  std::vector<int> row = {}, col = {};
  std::size_t size() const { return row.size(); }
  void add(int i, int j) {
    row.push_back(i);
    col.push_back(j);
  }
};

using BlockValues = std::array<std::vector<double>, block_count>;
inline std::size_t index_of(Block block) { return static_cast<std::size_t>(block); }

class Mechanism {
 public:
  // mu: a second multiplier on position level (Gear, Gupta and Leimkuhler), null if there is none.
  // a: null if the accelerations are those that follow from the rest, which needs a constant diagonal mass matrix; the
  // balance is then without M a, and must be wanted if g'' is.
  struct Point {
    double t;
    const double *q, *v, *a, *lambda, *mu;
  };
  // What is wanted; null if it is not. reaction = G^T mu.
  struct Values {
    double *balance = nullptr, *reaction = nullptr, *g = nullptr, *g1 = nullptr, *g2 = nullptr;
  };

  virtual ~Mechanism() = default;
  int n() const { return n_; }
  int m() const { return m_; }
  // Empty unless the mass matrix is constant and diagonal.
  const std::vector<double>& diagonal_mass() const { return diagonal_; }
  const Entries& entries(Block block) const { return entries_[index_of(block)]; }

  virtual void evaluate(const Point& point, const Values& values) = 0;
  // `point.a` must be given. Only the blocks that are wanted are filled; all of them have the size of their entries.
  virtual void differentiate(const Point& point, const std::array<bool, block_count>& wanted, BlockValues& out) = 0;

 protected:
  int n_ = 0, m_ = 0;
  std::vector<double> diagonal_;
  std::array<Entries, block_count> entries_;
};

// From the functions that driftless itself calls: automatic derivatives, patterns found at a few random points near
// `start`.
std::unique_ptr<Mechanism> generic_mechanism(const driftless::Mechanical& form, double t, driftless::ConstSpan start);

// Written by hand for speed.
std::unique_ptr<Mechanism> pendulum_mechanism();
std::unique_ptr<Mechanism> andrews_mechanism();
std::unique_ptr<Mechanism> fekete_mechanism();
std::unique_ptr<Mechanism> net_mechanism(int side);
std::unique_ptr<Mechanism> chain_mechanism(const struct ChainShape& shape);

// The values by hand, the derivatives from `generic`.
std::unique_ptr<Mechanism> car_axis_mechanism(std::unique_ptr<Mechanism> generic);
std::unique_ptr<Mechanism> slider_crank_mechanism(std::unique_ptr<Mechanism> generic);
std::unique_ptr<Mechanism> mms_index3_mechanism(std::unique_ptr<Mechanism> generic);
std::unique_ptr<Mechanism> stiff_double_pendulum_mechanism(double stiffness, double damping,
                                                           std::unique_ptr<Mechanism> generic);

// Throws std::runtime_error with the first entry that differs, if the two are not the same functions at random points
// near `start` (q, v, lambda).
void require_same(Mechanism& one, Mechanism& other, double t, driftless::ConstSpan start);

}  // namespace bench
