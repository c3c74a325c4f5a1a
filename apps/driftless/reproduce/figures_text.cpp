// Figures as columns of numbers, one block per run, comment lines with #: as plotting programs like them.
#include <fmt/format.h>

#include <iterator>

#include "apps/driftless/reproduce/figures.h"

namespace reproduce {

namespace {

void append(std::string& out, const Trace& trace) {
  auto end = std::back_inserter(out);
  fmt::format_to(end, "# {}, tol = {:.0e}, {} projection\n#", trace.experiment.title, figure_tolerance,
                 trace.projected ? "with" : "without");
  for (const Column& column : trace.columns) fmt::format_to(end, "{:>18}", column.name);
  out += '\n';
  for (std::size_t i = 0; i < trace.columns.front().values.size(); ++i) {
    out += ' ';
    for (const Column& column : trace.columns) fmt::format_to(end, "{:>18.9e}", column.values[i] + 0.0);  // no -0
    out += '\n';
  }
}

}  // namespace

std::string as_text(const std::vector<Trace>& traces) {
  std::string out;
  for (const Trace& trace : traces) {
    if (!out.empty()) out += "\n\n";
    append(out, trace);
  }
  return out;
}

}  // namespace reproduce
