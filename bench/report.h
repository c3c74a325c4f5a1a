// What was measured, for people (text, Markdown), for programs (JSON, CSV) and for the eye (gnuplot).
#pragma once

#include <string>
#include <vector>

#include "bench/contest.h"

namespace bench {

struct Measured {
  std::string problem, title, reference_source;
  double end = 0.0;
  std::vector<Entry> entries = {};
};

std::string as_text(const Measured& measured, const std::vector<double>& errors, Quantity quantity);
std::string rows_as_text(const Measured& measured);
// All runs, and the time at equal error: for `driftless report`, too.
std::string as_json(const Measured& measured, double error, Quantity quantity);
std::string as_csv(const Measured& measured);

// Time at equal error: this project, the best setting of each peer, and how much slower the best peer is.
std::string as_markdown(const Measured& measured, const std::vector<double>& errors, Quantity quantity);
// The same over all problems, one line each: the ratio best peer / this project.
std::string ratios_as_markdown(const std::vector<Measured>& all, const std::vector<double>& errors, Quantity quantity);
// Achieved error / tolerance over the mechanical problems (geometric mean), and failures.
std::string honesty_as_markdown(const std::vector<Measured>& all);

// Writes NAME.csv, NAME.dat and NAME.gnuplot to the folder, and NAME.svg if there is a gnuplot; the diagram leaves out
// settings of peers that are nowhere the fastest.
void write_diagram(const Measured& measured, const std::string& folder);

const char* name_of(Quantity quantity);

}  // namespace bench
