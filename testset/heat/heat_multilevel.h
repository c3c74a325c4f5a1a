// One cycle over coarser and coarser meshes instead of a solution: an approximate inverse of c C + L with the
// capacities C and L = sum over faces of k area/distance (e_l - e_r)(e_l - e_r)^T, for real and complex c with positive
// real part, at a cost proportional to the number of cells.
#pragma once

#include <complex>
#include <optional>

#include "driftless/equations/index1_preconditioner.h"
#include "driftless/linalg/linear_system.h"
#include "testset/heat/heat_hierarchy.h"
#include "testset/heat/heat_problem.h"

namespace driftless::testset {

inline constexpr std::size_t multilevel_from = 400;  // cells; fewer are best left to a factorisation

class HeatCycles {
 public:
  // The problem must outlive the cycles.
  explicit HeatCycles(const HeatProblem& problem);

  void set_conductivity(ConstSpan k);  // of the faces
  // For the shift c, kept under this number. A cell without a positive pivot, if there is one.
  std::optional<std::size_t> prepare_real(std::size_t slot, double c);
  std::optional<std::size_t> prepare_complex(std::size_t slot, std::complex<double> c);
  // In place.
  void solve_real(std::size_t slot, Span b);
  void solve_complex(std::size_t slot, Span re, Span im);

 private:
  struct Two {  // a complex number; std::complex looks for infinities in every product
    float re = 0.0f, im = 0.0f;
  };
  // Single precision is enough for what an iteration corrects, and half as much to read.
  template <class T>
  struct Level {
    std::vector<T> diagonal, pivot;  // of the matrix; of its incomplete factorisation, inverted
    std::vector<T> x, b, r;
  };
  template <class T, class System>
  struct Cycle {
    std::vector<Level<T>> levels;
    System coarsest;
  };
  using RealCycle = Cycle<float, LinearSystem>;
  using ComplexCycle = Cycle<Two, ComplexLinearSystem>;

  void describe_coarsest();
  void read_weights(ConstSpan conductivity);
  void coarsen_weights(std::size_t level);
  std::size_t first_cell_of(std::size_t level, std::size_t cell) const;
  template <class Any, class Shift>
  std::optional<std::size_t> prepare(std::vector<Any>& cycles, std::size_t slot, Shift c);
  template <class T, class Shift>
  std::optional<std::size_t> find_pivots(std::size_t level, Shift c, Level<T>& own) const;
  template <class Any>
  void run(Any& cycle, std::size_t level);
  void solve_coarsest(RealCycle& cycle);
  void solve_coarsest(ComplexCycle& cycle);

  const HeatProblem& problem_;
  HeatHierarchy hierarchy_;
  Vector shape_;                                   // by face: area / distance
  double scale_ = 0.0;                             // all matrices are multiplied by it, so that weights are near 1
  std::vector<std::vector<float>> weight_, wall_;  // by level: by entry, by cell
  Pattern coarsest_;
  Vector exchange_, capacity_;  // on its pattern: L and C
  std::vector<RealCycle> real_;
  std::vector<ComplexCycle> complex_;
};

// For the equations of as_index1(): fluxes are eliminated, and temperatures found by a cycle. The problem must outlive
// it.
std::unique_ptr<Index1Preconditioner> make_heat_preconditioner(const HeatProblem& problem);

}  // namespace driftless::testset
