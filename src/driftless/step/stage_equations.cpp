#include "driftless/step/stage_equations.h"

#include <algorithm>
#include <stdexcept>

#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/step/iterated_index1.h"
#include "driftless/step/sparse_mechanical.h"
#include "driftless/step/stage_wide.h"

namespace driftless {

void StageEquations::apply_leading(ConstSpan, Span) const { throw std::logic_error("this form is not coupled"); }
StageMatrices StageEquations::matrices() const { throw std::logic_error("this form is not coupled"); }

void FactorisedStage::reserve(std::size_t real, std::size_t complex) {
  const Pattern where = pattern();
  real_ = std::vector<RealSlot>(real);
  complex_ = std::vector<ComplexSlot>(complex);
  if (!where.is_full()) return;
  for (auto& slot : real_) slot.system.emplace(where);
  for (auto& slot : complex_) slot.system.emplace(where);
}

bool FactorisedStage::factorise_real(std::size_t slot, double c) {
  auto& [system, kept] = real_[slot];
  kept = c;
  if (!system) system.emplace(pattern(), order());
  if (system->factorise(values(), 1.0 / c)) return true;
  undetermined_ = component(system->undetermined());
  return false;
}

bool FactorisedStage::factorise_complex(std::size_t slot, Complex c) {
  auto& [system, kept] = complex_[slot];
  kept = c;
  if (!system) system.emplace(pattern(), order());
  if (system->factorise(values(), 1.0 / c)) return true;
  undetermined_ = component(system->undetermined());
  return false;
}

void FactorisedStage::solve_real(std::size_t slot, Span rho) const {
  const auto& [system, c] = real_[slot];
  Scratch scratch;
  const Span reduced = scratch.take_raw<double>(reduced_);
  reduce(c, rho, reduced);
  system->solve(reduced);
  expand(c, reduced, rho);
}

void FactorisedStage::solve_complex(std::size_t slot, Span re, Span im) const {
  const auto& [system, c] = complex_[slot];
  Scratch scratch;
  const Span x = scratch.take_raw<double>(reduced_), y = scratch.take_raw<double>(reduced_);
  if (reduce_parts(c, re, im, x, y)) {
    system->solve(x, y);
    std::ranges::copy(x, re.begin());
    std::ranges::copy(y, im.begin());
    return;
  }
  const auto rho = scratch.take_raw<Complex>(re.size()), reduced = scratch.take_raw<Complex>(reduced_);
  for (std::size_t i = 0; i < re.size(); ++i) rho[i] = {re[i], im[i]};
  reduce(c, rho, reduced);
  system->solve(reduced);
  expand(c, reduced, rho);
  for (std::size_t i = 0; i < re.size(); ++i) {
    re[i] = rho[i].real();
    im[i] = rho[i].imag();
  }
}

double FactorisedStage::factor_cost() const {
  return !real_.empty() && real_.front().system ? real_.front().system->factor_cost() : 0.0;
}

namespace {

// Three parts of the matrix, one real factorisation and at least one complex one.
std::size_t that_fits(std::size_t reduced) {
  require_dense(reduced, 6.0, "implicit steps");
  return reduced;
}

}  // namespace

DenseStage::DenseStage(std::vector<int> power, std::size_t reduced)
    : FactorisedStage(std::move(power), that_fits(reduced)),
      a0_(reduced, reduced),
      a1_(reduced, reduced),
      a2_(reduced, reduced) {}

ShiftedValues DenseStage::values() const {
  const auto all = [](const Matrix& a) { return ConstSpan(a.data(), a.rows() * a.cols()); };
  return {all(a0_), all(a1_), all(a2_)};
}

std::unique_ptr<StageEquations> make_stage_equations(const Equations& equations) {
  struct Visitor {
    std::unique_ptr<StageEquations> operator()(const Index1& form) const {
      if (IteratedIndex1Stage::suits(form)) return std::make_unique<IteratedIndex1Stage>(form);
      return std::make_unique<Index1Stage>(form);
    }
    std::unique_ptr<StageEquations> operator()(const Index2& form) const { return std::make_unique<Index2Stage>(form); }
    std::unique_ptr<StageEquations> operator()(const Index3& form) const { return std::make_unique<Index3Stage>(form); }
    std::unique_ptr<StageEquations> operator()(const Mechanical& form) const {
      if (SparseMechanicalStage::suits(form)) return std::make_unique<SparsePositionStage>(form);
      return std::make_unique<MechanicalStage>(form);
    }
    std::unique_ptr<StageEquations> operator()(const WideMechanical& form) const {
      return std::make_unique<WideLevelStage>(form, WideLevel::position);
    }
  };
  return std::visit(Visitor{}, equations);
}

}  // namespace driftless
