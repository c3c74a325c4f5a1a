// Models to start from: what `driftless new` writes.
#pragma once

#include <span>
#include <string>

namespace driftless::cli {

struct Template {
  const char* name;     // for --kind
  const char* summary;  // for --help
  const char* text;     // NAME stands for the name of the model
};

std::span<const Template> templates();
std::string filled_in(const Template& one, const std::string& name);

}  // namespace driftless::cli
