// The values that only events change, and where each lies in the vector of them.
#pragma once

#include "driftless/core/matrix.h"
#include "driftless/modelfile/flatten/flat_model.h"

namespace driftless {

struct HeldLayout {
  static constexpr std::size_t none = SIZE_MAX;

  std::vector<std::uint32_t> slots;
  std::vector<std::size_t> variable;  // by variable of the model: its own value; none unless a when assigns it
  std::vector<std::size_t> before;    // by variable: pre() of it, if it is discrete or asked for
  std::vector<std::size_t> relation;  // by relation
  std::optional<std::size_t> initial, terminal;  // the flags initial() and terminal()

  explicit HeldLayout(const FlatModel& model);
  Vector start(const FlatModel& model, double time) const;
  // The variables and relations whose values differ.
  std::vector<std::string> differences(const FlatModel& model, ConstSpan a, ConstSpan b) const;
};

}  // namespace driftless
