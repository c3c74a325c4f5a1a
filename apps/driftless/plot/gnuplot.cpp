#include "apps/driftless/plot/gnuplot.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "apps/driftless/exit_codes.h"
#include "apps/driftless/output_file.h"

namespace driftless::cli {

namespace {

std::string ending_of(const std::string& path) { return std::filesystem::path(path).extension(); }

}  // namespace

void require_gnuplot(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending != ".svg" && ending != ".png" && ending != ".gif")
    throw Stop(ExitCode::usage,
               fmt::format("--plot {}: the ending decides what is drawn; known are .svg, .png and .gif", path));
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0)
    throw Stop(ExitCode::file,
               "--plot draws with gnuplot, which is not installed\n  try:   apt-get install gnuplot-nox");
}

std::string terminal_for(const std::string& path, int width, int height, int frames_per_second) {
  const std::string ending = ending_of(path);
  if (ending == ".svg")
    return fmt::format("set terminal svg size {},{} font 'sans,13' background rgb 'white' noenhanced\n", width, height);
  if (ending == ".png")
    return fmt::format("set terminal pngcairo size {},{} font 'sans,11' noenhanced\n", width, height);
  return fmt::format("set terminal gif animate delay {} loop 0 optimize size {},{} noenhanced\n",
                     100 / frames_per_second, width, height);
}

// Quotes inside are doubled, as in SQL; nothing else is special between them.
std::string gnuplot_text(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\n') continue;
    result += c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

void run_gnuplot(const std::string& script, const std::string& path) {
  PendingFile file(path);
  FILE* pipe = popen("gnuplot -d 2>/dev/null", "w");
  if (!pipe) throw Stop(ExitCode::file, fmt::format("cannot draw '{}': gnuplot could not be started", path));
  const std::string all = fmt::format("set output {}\n{}\nunset output\n", gnuplot_text(file.temporary()), script);
  std::fwrite(all.data(), 1, all.size(), pipe);
  const int status = pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || std::filesystem::file_size(file.temporary()) == 0)
    throw Stop(ExitCode::file, fmt::format("cannot draw '{}': gnuplot failed", path));
  file.commit();
}

}  // namespace driftless::cli
