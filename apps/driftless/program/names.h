// Words that people type: spelt in several ways, and misspelt.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/modelfile/text/suggest.h"

namespace driftless::cli {

// "Step size too small", "step_size_too_small" and "step-size-too-small" are the same.
inline std::string canonical(std::string_view words) {
  std::string result;
  for (const char letter : words) {
    const bool separator = letter == ' ' || letter == '_';
    result += separator ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return result;
}

// "; did you mean 'grid'?", or nothing.
inline std::string perhaps(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  if (const std::string question = did_you_mean(word, views); !question.empty()) return "; " + question;
  std::string_view meant;  // a name that contains the word, better one that begins with it
  for (const std::string_view name : views)
    if (const std::size_t at = name.find(word); word.size() > 2 && at != std::string_view::npos)
      if (meant.empty() || (at == 0 && meant.find(word) != 0)) meant = name;
  return meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant);
}

}  // namespace driftless::cli
