#include "driftless/linalg/saddle_system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "driftless/linalg/saddle_redundancy.h"

namespace driftless {

namespace {

BlockPattern saddle_pattern(const Pattern& a, const Pattern& b, const Pattern& g) {
  const std::size_t n = a.cols, m = b.cols;
  const std::array<PlacedBlock, 3> blocks{{{a, 0, 0}, {b, 0, n}, {g, n, 0}}};
  return block_pattern(n + m, n + m, blocks);
}

}  // namespace

SaddleSystem::SaddleSystem(const Pattern& a, const Pattern& b, const Pattern& g)
    : SaddleSystem(a.cols, b.cols, saddle_pattern(a, b, g)) {}

SaddleSystem::SaddleSystem(std::size_t n, std::size_t m, BlockPattern blocks)
    : n_(n), m_(m), blocks_(std::move(blocks)), system_(blocks_.pattern, DecisiveSystem::IfSingular::report, n) {}

SaddleSystem::~SaddleSystem() = default;
SaddleSystem::SaddleSystem(SaddleSystem&&) noexcept = default;

void SaddleSystem::place(std::size_t block, ConstSpan values, double factor) {
  const Span all = system_.values();
  const std::vector<std::uint32_t>& where = blocks_.places[block];
  for (std::size_t k = 0; k < where.size(); ++k) all[where[k]] = factor * values[k];
}

bool SaddleSystem::is_finite() {
  bool finite = true;
  for (const double x : system_.values()) finite &= std::isfinite(x);
  return finite;
}

bool SaddleSystem::factorise() {
  if (!is_sparse()) return factorise_anew();
  const ConstSpan values = system_.values();
  if (!factorised_.empty() && std::ranges::equal(values, factorised_)) return regular_;
  factorised_.clear();  // until there are new factors
  factorise_anew();
  factorised_.assign(values.begin(), values.end());
  return regular_;
}

// Constraints that depended on each other at one point mostly do so at the next one, and in the next system.
bool SaddleSystem::factorise_anew() {
  regular_ = false;
  if (std::exchange(is_new_, false) && m_ > 0 && is_sparse()) {
    redundancy_ = known_redundancy(blocks_.pattern, n_, system_.values());
    if (redundancy_) return false;
  }
  if (redundancy_ && redundancy_->factorise(system_.values())) return false;
  redundancy_.reset();
  regular_ = system_.factorise();
  if (regular_ || m_ == 0 || !is_sparse()) return regular_;
  redundancy_ = find_redundancy(blocks_.pattern, n_, system_.values());
  regular_ = !redundancy_ && system_.is_factorised();
  return regular_;
}

std::size_t SaddleSystem::rank() const {
  if (regular_) return m_;
  return redundancy_ ? m_ - redundancy_->rows().size() : 0;
}

void SaddleSystem::solve(Span x) const {
  if (redundancy_)
    redundancy_->solve(x);
  else if (system_.is_factorised() || !is_sparse())
    system_.solve(x);
  else
    std::ranges::fill(x, NAN);
}

void SaddleSystem::make_least(Span mu) const {
  if (redundancy_) redundancy_->make_least(mu);
}

Redundancy SaddleSystem::redundancy() const {
  return redundancy_ && redundancy_->rows_depend() ? redundancy_->directions() : Redundancy{};
}

std::size_t SaddleSystem::undetermined() const {
  if (redundancy_) return redundancy_->rows().front();
  const std::size_t found = system_.undetermined();
  return found < n_ ? 0 : found - n_;
}

}  // namespace driftless
