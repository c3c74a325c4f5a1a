// From the text of a model to its flat equations: the one function that programs call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/modelfile/flatten/flat_model.h"
#include "driftless/modelfile/text/diagnostic.h"

namespace driftless {

// Beyond these a model is refused with a message, so that a slip such as n = 1e9 does not exhaust the machine.
struct ReadLimits {
  std::size_t elements = 10'000'000;  // of all arrays, variables and equations together
  std::size_t work = 200'000'000;     // evaluated expressions and elements, besides `work_per_element`
  int calls = 100;                    // of functions inside functions
  int rounds = 400;                   // of a loop whose end is known in the run only; fewer in loops inside of such

  static constexpr std::size_t work_per_element = 1000;  // a large model may take more than a small one
};

struct ReadOptions {
  std::string model = {};  // which one, if the file has several; empty: the last one
  // Values of parameters by name. The text is an expression of the language and may use other parameters: "2 * m1".
  // Names may have subscripts, "r[2]", and names in quotes may be given without them.
  std::vector<std::pair<std::string, std::string>> parameters = {};
  ReadLimits limits = {};
};

struct ModelReading {
  std::optional<FlatModel> model;  // none if there are errors
  std::vector<Diagnostic> diagnostics;
  bool limit_reached = false;  // one of them says so

  bool ok() const { return model.has_value(); }
};

// Reads flat Modelica and Base Modelica. `file_name` is only for messages; nothing is read from a disk.
ModelReading read_model(std::string_view text, std::string_view file_name, const ReadOptions& options = {});

}  // namespace driftless
