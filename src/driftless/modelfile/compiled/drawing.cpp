#include "driftless/modelfile/compiled/drawing.h"

#include <algorithm>

#include "driftless/core/failure.h"

namespace driftless {

DrawnPoints::DrawnPoints(const CompiledModel& model) : time_slot_(model.flat().time_slot) {
  const FlatModel& flat = model.flat();
  if (!flat.drawing) throw Misuse("the model has no drawing");
  coordinates_ = Program(model.graph(), flat.drawing->points);
  for (const FlatVariable& variable : flat.variables)
    if (!variable.introduced) slots_.push_back(variable.slot);
  inputs_.assign(std::max<std::size_t>(flat.slots, coordinates_.inputs()), 0.0);
}

void DrawnPoints::at(double t, ConstSpan results, Span out) {
  for (std::size_t i = 0; i < slots_.size(); ++i) inputs_[slots_[i]] = results[i];
  inputs_[time_slot_] = t;
  coordinates_.run(inputs_.data(), out.data());
}

}  // namespace driftless
