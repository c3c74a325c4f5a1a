// driftless_reproduce: the tables and figures of Schropp 2003 beside what this library does.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "apps/driftless_reproduce/figures.h"
#include "apps/driftless_reproduce/table.h"

namespace {

constexpr const char* usage =
    "usage: driftless_reproduce table1|table2|figures [--json]\n"
    "\n"
    "Repeats the computations of Schropp, Projected Runge-Kutta methods for differential algebraic equations of index "
    "3\n"
    "(2003), section 4.\n"
    "\n"
    "  table1   evaluations for the pendulum: the paper's, the same method here, and the library's default\n"
    "  table2   the same for Andrews' squeezing mechanism\n"
    "  figures  solution and constraint residuals over time, with and without projection, tol = 1e-8 (figures 1 to 5)\n"
    "  --json   the same for programs\n";

struct Request {
  std::string_view item;
  bool json = false, help = false;
  std::string_view unexpected;
};

bool known(std::string_view item) { return item == "table1" || item == "table2" || item == "figures"; }

Request parse(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h")
      request.help = true;
    else if (argument == "--json")
      request.json = true;
    else if (request.item.empty() && known(argument))
      request.item = argument;
    else if (request.unexpected.empty())
      request.unexpected = argument;
  }
  return request;
}

std::string answer(const Request& request) {
  using namespace reproduce;
  if (request.item == "figures") {
    const auto traces = compute_figures();
    return request.json ? as_json(traces) : as_text(traces);
  }
  const Table table = compute_table(request.item == "table1" ? pendulum() : andrews());
  return request.json ? as_json(table) : as_text(table);
}

}  // namespace

int main(int argc, char** argv) {
  const Request request = parse(argc, argv);
  if (request.help) {
    fmt::print("{}", usage);
    return 0;
  }
  if (!request.unexpected.empty()) {
    fmt::print(stderr, "driftless_reproduce: cannot make sense of '{}'; known are table1, table2, figures\n\n{}",
               request.unexpected, usage);
    return 2;
  }
  if (request.item.empty()) {
    fmt::print(stderr, "driftless_reproduce: say what to reproduce; known are table1, table2, figures\n\n{}", usage);
    return 2;
  }
  try {
    fmt::print("{}", answer(request));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "driftless_reproduce: {}\n", error.what());
    return 1;
  }
}
