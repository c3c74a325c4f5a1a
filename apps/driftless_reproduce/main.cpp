// driftless_reproduce: the tables and figures of Schropp 2003, and the claims of Higueras and Soderlind 2003, beside
// what this library does.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "apps/driftless_reproduce/figures.h"
#include "apps/driftless_reproduce/stability.h"
#include "apps/driftless_reproduce/table.h"

namespace {

std::string usage() {
  std::string text =
      "usage: driftless_reproduce ITEM [--json | --csv]\n"
      "\n"
      "Repeats the computations of Schropp, Projected Runge-Kutta methods for differential algebraic equations of "
      "index "
      "3\n"
      "(2003), section 4.\n"
      "\n"
      "  table1       evaluations for the pendulum: the paper's, the same method here, and the library's default\n"
      "  table2       the same for Andrews' squeezing mechanism\n"
      "  figures      solution and constraint residuals over time, with and without projection, tol = 1e-8 (figures 1 "
      "to "
      "5)\n"
      "  --json       the same for programs\n"
      "\n"
      "Measures what Higueras and Soderlind, Logarithmic norms and nonlinear DAE stability (2003), promise.\n"
      "\n";
  for (const auto& item : reproduce::stability_items()) text += fmt::format("  {:12} {}\n", item.name, item.title);
  return text + "  --csv        the data of a picture instead of a table\n";
}

struct Request {
  std::string_view item;
  bool json = false, csv = false, help = false;
  std::string_view unexpected;
};

std::string known_items() {
  std::string text = "table1, table2, figures";
  for (const auto& item : reproduce::stability_items()) text += fmt::format(", {}", item.name);
  return text;
}

bool is_of_schropp(std::string_view item) { return item == "table1" || item == "table2" || item == "figures"; }
bool known(std::string_view item) { return is_of_schropp(item) || reproduce::stability_item(item) != nullptr; }

Request parse(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h")
      request.help = true;
    else if (argument == "--json")
      request.json = true;
    else if (argument == "--csv")
      request.csv = true;
    else if (request.item.empty() && known(argument))
      request.item = argument;
    else if (request.unexpected.empty())
      request.unexpected = argument;
  }
  return request;
}

// What is wrong with it; empty: nothing.
std::string complaint(const Request& request) {
  if (!request.unexpected.empty())
    return fmt::format("cannot make sense of '{}'; known are {}", request.unexpected, known_items());
  if (request.item.empty()) return "say what to reproduce; known are " + known_items();
  if (is_of_schropp(request.item) ? request.csv : request.json)
    return fmt::format("{} is written as {}, not as {}", request.item, request.csv ? "--json" : "--csv",
                       request.csv ? "--csv" : "--json");
  return "";
}

std::string answer(const Request& request) {
  using namespace reproduce;
  if (const StabilityItem* item = stability_item(request.item)) return request.csv ? item->csv() : item->text();
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
    fmt::print("{}", usage());
    return 0;
  }
  if (const std::string wrong = complaint(request); !wrong.empty()) {
    fmt::print(stderr, "driftless_reproduce: {}\n\n{}", wrong, usage());
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
