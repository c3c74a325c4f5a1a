// Models for tests, as text.
#pragma once

#include "driftless/modelfile/flatten/read_model.h"
#include "run_model.h"

namespace driftless::testing_models {

inline FlatModel flat(const std::string& text) {
  ModelReading reading = read_model(text, "test.mo");
  if (!reading.ok()) throw std::runtime_error(render(reading.diagnostics));
  return *std::move(reading.model);
}

// "model M declarations equation equations end M;"
inline FlatModel flat(const std::string& declarations, const std::string& equations) {
  return flat("model M\n" + declarations + "\nequation\n" + equations + "\nend M;\n");
}

}  // namespace driftless::testing_models
