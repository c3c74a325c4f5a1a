// Work-precision diagrams by gnuplot: every configuration of this project, and of each peer the ones that are its
// fastest at some error. The .csv file has all.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <stdexcept>

#include "bench/report.h"

namespace bench {

namespace {

struct Family {
  const char* name;
  int width;
  const char* dash;
  std::vector<const char*> colours;
};
const Family families[] = {{"driftless", 3, "solid", {"#111111", "#d62728", "#ff9f1c", "#8c2d04", "#6a3d9a"}},
                           {"RADAU5", 1, "solid", {"#1f4e9c", "#3f8fd2", "#6fc3df", "#00204d"}},
                           {"IDA", 1, "'-'", {"#1b7837", "#5aae61", "#a6dba0", "#00441b"}},
                           {"DASPK", 1, "'.'", {"#762a83", "#c51b7d", "#9970ab", "#40004b"}}};

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

// The peers that are the fastest setting of their code at one of the errors 1e-3, 1e-4, ..., 1e-9.
std::set<std::string> shown_peers(const Measured& measured) {
  std::set<std::string> shown;
  for (const Family& family : families)
    for (const Quantity quantity : {Quantity::q, Quantity::qvl})
      for (int digits = 3; digits <= 9; ++digits) {
        const Entry* best = nullptr;
        double least = 0.0;
        for (const Entry& entry : measured.entries) {
          if (entry.ours || !entry.code.starts_with(family.name)) continue;
          const auto at = at_error(entry, std::pow(10.0, -digits), quantity);
          if (!at || (best && at->seconds >= least)) continue;
          best = &entry;
          least = at->seconds;
        }
        if (best) shown.insert(best->code);
      }
  return shown;
}

std::vector<Entry> shown_entries(const Measured& measured) {
  const auto peers = shown_peers(measured);
  std::vector<Entry> shown;
  for (const Entry& entry : measured.entries)
    if (entry.ours || peers.contains(entry.code)) shown.push_back(entry);
  return shown;
}

// One block of (error of q, error of everything, milliseconds) per code.
std::string data_of(const std::vector<Entry>& entries) {
  std::string text;
  for (const Entry& entry : entries) {
    text += fmt::format("# {}\n", entry.code);
    for (const Row& row : entry.rows)
      if (row.ok())
        text += fmt::format("{:.6g} {:.6g} {:.6g}\n", error_of(row, Quantity::q), error_of(row, Quantity::qvl),
                            1e3 * row.least);
    text += "\n\n";
  }
  return text;
}

std::string curves(const std::string& problem, const std::vector<Entry>& entries, int column) {
  std::string text = "plot";
  std::vector<std::size_t> used(std::size(families), 0);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    std::size_t f = 0;
    while (f + 1 < std::size(families) && !entries[k].code.starts_with(families[f].name)) ++f;
    const auto& colours = families[f].colours;
    const char* colour = colours[used[f]++ % colours.size()];
    text +=
        fmt::format("{} '{}.dat' index {} using {}:3 with linespoints lw {} dt {} lc rgb '{}' pt {} ps 0.5 title '{}'",
                    k == 0 ? "" : ", \\\n ", problem, k, column, families[f].width, families[f].dash, colour,
                    used[f] + 3, entries[k].code);
  }
  return text + "\n";
}

std::string script_of(const Measured& measured, const std::vector<Entry>& entries) {
  std::string text = fmt::format(
      "set terminal svg size 1300,560 dynamic background rgb 'white' font 'sans,12'\n"
      "set output '{0}.svg'\nset logscale xy\nset format x '10^{{%T}}'\nset format y '%g'\nset xrange [1e-12:1]\n"
      "set grid\nset tmargin at screen 0.92\nset bmargin at screen 0.12\n"
      "set multiplot title \"{1}, t = {2}: milliseconds against the error achieved\"\n",
      measured.problem, measured.title, measured.end);
  text += fmt::format("set lmargin at screen 0.05\nset rmargin at screen 0.36\nunset key\nset xlabel 'error of q'\n{}",
                      curves(measured.problem, entries, 1));
  text += fmt::format(
      "set lmargin at screen 0.42\nset rmargin at screen 0.73\nset key at screen 0.99,0.92 right top\n"
      "set xlabel 'error of q, v and lambda'\n{}unset multiplot\n",
      curves(measured.problem, entries, 2));
  return text;
}

}  // namespace

void write_diagram(const Measured& measured, const std::string& folder) {
  const std::string base = folder + "/" + measured.problem;
  const auto entries = shown_entries(measured);
  write(base + ".csv", as_csv(measured));
  write(base + ".dat", data_of(entries));
  write(base + ".gnuplot", script_of(measured, entries));
  const std::string command =
      fmt::format("command -v gnuplot >/dev/null 2>&1 && cd '{}' && gnuplot '{}.gnuplot'", folder, measured.problem);
  if (std::system(command.c_str()) != 0) std::remove((base + ".svg").c_str());  // no gnuplot: the data are there
}

}  // namespace bench
