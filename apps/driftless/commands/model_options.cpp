#include "apps/driftless/commands/model_options.h"

#include <fmt/format.h>

#include "apps/driftless/output/terminal.h"
#include "testset/problem.h"

namespace driftless::cli {

std::vector<Option> model_options(ModelRequest& request) {
  const auto problems = [] {
    std::vector<std::string> names;
    for (const std::string& name : testset::problem_names()) names.push_back(problem_prefix + name);
    return names;
  };
  return {{.name = "MODEL",
           .target = &request.source,
           .text = "a model file (flat Modelica or Base Modelica, swing.mo), or a reference problem (problem:car_axis; "
                   "`driftless problems` lists them)",
           .required = true,
           .words = problems,
           .file_endings = {".mo"}},
          option("--set NAME=VALUE", &request.set,
                 "another value for a parameter or a start value; may be given several times", "The run")};
}

void print_warnings(const Model& model) {
  for (const std::string& warning : model.warnings) say(stderr, "{} {}\n", caution("warning:"), warning);
}

void print_failure(const std::string& message, ExitCode code) {
  say(stderr, "{} {}\n  more:  driftless explain {}\n", alarm("driftless:"), message, explanation_of(code).name);
}

}  // namespace driftless::cli
