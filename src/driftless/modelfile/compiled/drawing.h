// Where the points of a drawing are, from the results of a model.
#pragma once

#include "driftless/modelfile/compiled/compiled_model.h"

namespace driftless {

class DrawnPoints {
 public:
  explicit DrawnPoints(const CompiledModel& model);  // which has a drawing

  // `results` as CompiledModel::results gives them, in the order of variables(); `out` has count() numbers.
  void at(double t, ConstSpan results, Span out);
  std::size_t count() const { return coordinates_.outputs(); }

 private:
  Program coordinates_;
  std::vector<std::uint32_t> slots_;  // of the results
  std::uint32_t time_slot_;
  Vector inputs_;
};

}  // namespace driftless
