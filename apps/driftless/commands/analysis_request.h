// What the analyses have in common: a model as an index-2 problem, methods, step sizes, threads.
#pragma once

#include "apps/driftless/commands/solve_request.h"
#include "apps/driftless/program/command_line.h"
#include "driftless/analysis/geometric/index2_problem.h"
#include "driftless/core/execution.h"

namespace driftless::cli {

struct AnalysisRequest {
  ModelRequest model;
  std::optional<std::size_t> threads;
  bool json = false;
  std::string report;  // a page to look at
};

// --threads, --json and --report.
std::vector<Option> execution_options(AnalysisRequest& request);
Option report_option(std::string& target);

// The equations of a model as an index-2 problem, and a consistent state of it. Stop if the model has events.
struct Index2Start {
  Index2 equations;
  double time = 0.0;
  Vector state = {};
};
Index2Start index2_start(const Model& model, std::optional<double> time = {});

// "0.1,0.05": Stop, with the name of the option, unless all of them are numbers.
Vector numbers_from(const std::string& option, const std::string& list);
// The same for sizes that have to be positive and to fall.
Vector step_sizes_from(const std::string& list);
std::vector<std::string> words_from(const std::string& list);  // separated by commas

// A tableau by its name, or from FILE.json; Stop with a suggestion if there is none. And the option for its name.
Tableau tableau_from(const std::string& name);
Option tableau_option(const std::string& spelled, Target target, std::string text, std::string group);

// Numbers for tables: 3 digits, "-" for NaN.
std::string short_number(double x);
// NaN and infinity have no place in JSON: null.
Json json_number(double x);
Json json_numbers(ConstSpan values);

}  // namespace driftless::cli
