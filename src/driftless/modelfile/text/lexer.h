// From text to words.
#pragma once

#include <vector>

#include "driftless/modelfile/text/diagnostic.h"
#include "driftless/modelfile/text/token.h"

namespace driftless {

struct Words {
  std::vector<Token> tokens;   // the last one is end_of_file
  bool base_modelica = false;  // began with "//! base ..."
};

// Comments and blanks are left out. What is no word is reported and becomes a `bad` token.
Words split_into_words(const Source& source, std::uint16_t source_number, Diagnostics& diagnostics);

// The characters that a string token stands for, its escapes resolved and its quotes gone.
std::string unescaped(std::string_view quoted_text);

}  // namespace driftless
