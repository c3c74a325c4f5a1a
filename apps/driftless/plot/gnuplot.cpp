#include "apps/driftless/plot/gnuplot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "apps/driftless/output/utf8.h"
#include "apps/driftless/plot/child.h"
#include "apps/driftless/program/exit_codes.h"

namespace driftless::cli {

namespace {

std::string ending_of(const std::string& path) { return std::filesystem::path(path).extension(); }

bool is_installed(const std::string& program) {
  const char* folders = std::getenv("PATH");
  std::istringstream path(folders != nullptr ? folders : "/usr/bin:/bin");
  for (std::string folder; std::getline(path, folder, ':');)
    if (access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

std::string first_line(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line))
    if (line.find_first_not_of(" \t^") != std::string::npos) return ": " + line;
  return "";
}

}  // namespace

void require_gnuplot(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending != ".svg" && ending != ".png" && ending != ".gif")
    throw Stop(ExitCode::usage,
               fmt::format("--plot {}: the ending decides what is drawn; known are .svg, .png and .gif", path));
  if (!is_installed("gnuplot"))
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

// Letters and digits as they are, everything else by its number: no quote, no backquote and no line end gets through.
std::string gnuplot_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : shown(utf8(text))) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' || c == '_')
      result += c;
    else
      fmt::format_to(std::back_inserter(result), "\\{:03o}", static_cast<unsigned>(byte));
  }
  return result + '"';
}

std::string gnuplot_picture(const std::string& script, const std::string& path) {
  const ChildResult drawn = run_child({"gnuplot", "-d"}, "set encoding utf8\n" + script + "\nunset output\n");
  if (!drawn.started) throw Stop(ExitCode::file, fmt::format("cannot draw '{}': gnuplot could not be started", path));
  if (drawn.exit_code != 0 || drawn.out.empty())
    throw Stop(ExitCode::file, fmt::format("cannot draw '{}': gnuplot failed{}", path, first_line(drawn.err)));
  return drawn.out;
}

}  // namespace driftless::cli
