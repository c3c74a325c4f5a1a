// The reference problems as a table in Markdown: what docs/problems.md shows.
//
// Build and run (./run builds the library; its --help is quick):
//
//   ./run --help
//   g++ -std=c++20 -O2 examples/list_problems.cpp @build/release/driftless.flags -o build/list_problems
//   build/list_problems
#include <cstdio>

#include "driftless/driftless.h"
#include "testset/problem.h"

int main() {
  using namespace driftless;
  std::printf("| name | what | index | unknowns | source | compared at t = | trusted digits |\n");
  std::printf("|---|---|--:|--:|---|---|--:|\n");
  for (const auto& name : testset::problem_names()) {
    const testset::Problem problem = testset::problem(name);
    std::string times;
    char text[32];
    for (const auto& reference : problem.references) {
      std::snprintf(text, sizeof text, "%s%g", times.empty() ? "" : ", ", reference.time);
      times += text;
    }
    if (problem.exact) times += times.empty() ? "any (closed form)" : "; any (closed form)";
    std::snprintf(text, sizeof text, "%g", problem.trusted_digits);
    std::printf("| `%s` | %s | %d | %zu | %s | %s | %s |\n", name.c_str(), problem.title.c_str(),
                index_of(problem.equations), layout_of(problem.equations).size(), problem.source.c_str(), times.c_str(),
                problem.trusted_digits > 0 ? text : "-");
  }
}
