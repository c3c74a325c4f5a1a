// Numbers as text that a browser turns back into the same bits: little-endian doubles in base64.
#pragma once

#include <string>

#include "driftless/core/matrix.h"

namespace driftless::cli {

std::string base64(ConstSpan numbers);

}  // namespace driftless::cli
