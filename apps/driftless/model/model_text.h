// The text of a model file.
#pragma once

#include <string>

#include "driftless/simulate/text_model.h"

namespace driftless::cli {

ModelText read_model_text(const std::string& path);  // Stop if it cannot be read
std::string hash_of(const ModelText& text);          // SHA-256 of the bytes of the file

}  // namespace driftless::cli
