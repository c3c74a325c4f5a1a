// Work-precision diagrams by gnuplot.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "bench/report.h"

namespace bench {

namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

// One block of (error q, error of everything, milliseconds) per code.
std::string data_of(const Measured& measured) {
  std::string text;
  for (const Entry& entry : measured.entries) {
    text += fmt::format("# {}\n", entry.code);
    for (const Row& row : entry.rows)
      if (row.ok())
        text += fmt::format("{:.6g} {:.6g} {:.6g}\n", error_of(row, Quantity::q), error_of(row, Quantity::qvl),
                            1e3 * row.least);
    text += "\n\n";
  }
  return text;
}

std::string script_of(const Measured& measured) {
  std::string text = fmt::format(
      "set terminal svg size 1100,520 dynamic background rgb 'white' font 'sans,11'\n"
      "set output '{0}.svg'\nset logscale xy\nset format x '10^{{%T}}'\nset xrange [1e-12:1] reverse\n"
      "set grid\nset key outside right top\nset ylabel 'ms'\nset multiplot layout 1,2 title '{1}, t = {2}'\n",
      measured.problem, measured.title, measured.end);
  for (const int column : {1, 2}) {
    text += fmt::format("set xlabel 'error of {}'\n{}plot", name_of(column == 1 ? Quantity::q : Quantity::qvl),
                        column == 1 ? "unset key\n" : "set key outside right top font ',8'\n");
    for (std::size_t k = 0; k < measured.entries.size(); ++k) {
      const Entry& entry = measured.entries[k];
      text +=
          fmt::format("{} '{}.dat' index {} using {}:3 with linespoints lw {} pt {} ps 0.4 title '{}'",
                      k == 0 ? "" : ", \\\n ", measured.problem, k, column, entry.ours ? 3 : 1, k % 13 + 1, entry.code);
    }
    text += '\n';
  }
  return text + "unset multiplot\n";
}

}  // namespace

void write_diagram(const Measured& measured, const std::string& folder) {
  const std::string base = folder + "/" + measured.problem;
  write(base + ".csv", as_csv(measured));
  write(base + ".dat", data_of(measured));
  write(base + ".gnuplot", script_of(measured));
  const std::string command =
      fmt::format("command -v gnuplot >/dev/null 2>&1 && cd '{}' && gnuplot '{}.gnuplot'", folder, measured.problem);
  if (std::system(command.c_str()) != 0) std::remove((base + ".svg").c_str());  // no gnuplot: the data are there
}

}  // namespace bench
