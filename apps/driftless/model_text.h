// The text of a model file: read, flattened with settings, and quoted in messages.
#pragma once

#include <string>
#include <vector>

#include "apps/driftless/model.h"
#include "driftless/modelfile/diagnostic.h"
#include "driftless/modelfile/finding.h"

namespace driftless::cli {

struct ModelText {
  std::string file, text;  // UTF-8, whatever the file was in
  std::string hash = {};   // SHA-256 of the bytes of the file

  // Findings with file, line and column, and a caret under the place.
  std::string render(Severity severity, const std::vector<Finding>& findings) const;
};

ModelText read_model_text(const std::string& path);  // Stop if it cannot be read

// Stop, with every message, if the text is not right. Parameters are set before the model is made, for array sizes may
// depend on them; start values in the model.
FlatModel flat_model(const ModelText& text, const std::vector<Setting>& settings, std::vector<std::string>& warnings);

std::string unquoted(const std::string& name);  // a.b of 'a.b'

}  // namespace driftless::cli
