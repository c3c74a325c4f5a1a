// The model files that are shipped with the program, made from examples/models/ when it is built.
#pragma once

#include <vector>

namespace driftless::cli {

struct ShippedModel {
  const char *file, *text;
};

const std::vector<ShippedModel>& shipped_models();

}  // namespace driftless::cli
