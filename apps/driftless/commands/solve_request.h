// What the user asks of `solve`, and the options of the library that it means for a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/driftless/commands/method_choice.h"
#include "apps/driftless/model/model.h"
#include "apps/driftless/output/json.h"
#include "driftless/simulate/simulate.h"

namespace driftless::cli {

// The model and changes to it: shared by solve, check and init.
struct ModelRequest {
  std::string source;
  std::vector<std::string> set;
  std::unique_ptr<Model> load(StateUnits units = StateUnits::as_written) const;
};

struct SolveRequest {
  ModelRequest model;
  std::string method = "auto", project = "on", level, multiplier;
  std::optional<double> rtol, atol, t_begin, t_end;
  std::optional<std::size_t> steps;
  std::optional<double> step_size, first_step, largest_step;
  std::optional<std::size_t> step_limit, event_limit;
  bool despite_conditions = false, error_bound = false;
  bool verify = false;
  std::optional<std::size_t> grid;
  std::optional<double> interval;
  bool every_step = false;
  std::vector<std::string> outputs;
  std::string report;              // an HTML file
  std::string plot, view = "all";  // a picture, and of what
  bool metadata = true;
  bool json = false, quiet = false;

  bool wants_rows() const { return !outputs.empty() || !report.empty() || !plot.empty(); }
  bool wants_history() const;  // of the steps: reports show it, and HDF5 files keep it for them
};

// What will be done, in the words of the library and in words for people.
struct Plan {
  SolveOptions options;
  bool error_bound = false;  // beside the solution
  std::string method;
  Json in_force;                                                 // the options, for metadata
  enum class Verify { no, silently, told } verify = Verify::no;  // every row of the results, in every equation
};

// Usage errors are Stop or Misuse, and so are more rows than memory has room for.
Plan make_plan(const SolveRequest& request, const driftless::Model& model);

// The library's refusal of a method for these equations, with the way out spelt for the command line.
void require_method(const Method& method, const Equations& equations);

}  // namespace driftless::cli
