// Small dense matrices of numbers that may depend on parameters, row by row.
#pragma once

#include <cstddef>
#include <optional>

#include "driftless/expression/number.h"

namespace driftless {

bool is_positive_definite(Numbers a, std::size_t n);          // of a symmetric one
std::optional<Numbers> inverse_of(Numbers a, std::size_t n);  // none if its rows depend on each other

}  // namespace driftless
