#include "driftless/step/coupled_stages.h"

#include "driftless/linalg/cut_offs.h"

namespace driftless {

void CoupledStages::reserve(std::size_t largest) {
  std::size_t affordable = 0;
  for (std::size_t s = 1; s <= largest && s * unknowns_ <= cut_off::coupled_stages; s += 2) {
    lu_.emplace_back(s * unknowns_);
    affordable = s;
  }
  if (affordable > 0) reserve_stages(affordable);
}

bool CoupledStages::covers(std::size_t stages) const { return (stages + 1) / 2 <= lu_.size(); }

bool CoupledStages::factorise(const RadauConstants& radau, double h) {
  in_use_ = &lu_[(radau.c.size() - 1) / 2];
  assemble(radau, h, in_use_->matrix());
  return in_use_->factorise();
}

}  // namespace driftless
