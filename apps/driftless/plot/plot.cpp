#include "apps/driftless/plot/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "apps/driftless/plot/gnuplot.h"
#include "apps/driftless/plot/motion.h"
#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/report/thin_rows.h"

namespace driftless::cli {

namespace {

constexpr std::size_t most_values = 20'000;  // of one table: a line on paper has no more detail
constexpr std::size_t most_lines = 8;        // in one panel
constexpr double zero = 1e-17;               // where a residual of exactly 0 is drawn
constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                   "#E69F00", "#56B4E9", "#000000", "#7A7A7A"};  // Okabe and Ito

struct Line {
  std::string label;
  Vector x, y;
  std::size_t colour = 0, dash = 0;
};
struct Panel {
  std::string title, x_label = "t";
  bool log = false, steps = false;
  std::vector<Line> lines = {};
};

const Vector* column(const Table& table, const std::string& name) {
  const auto found = std::find(table.names.begin(), table.names.end(), name);
  return found == table.names.end() ? nullptr : &table.columns[static_cast<std::size_t>(found - table.names.begin())];
}

std::string with_label(const std::string& text, const std::string& label) {
  return label.empty() ? text : fmt::format("{} ({})", text, label);
}

using Runs = std::vector<ReportRun>;

// One panel for each group of results: positions, velocities, ...
std::vector<Panel> result_panels(const Runs& runs) {
  const auto labels = run_labels(runs);
  std::vector<Panel> panels;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const Json& described : runs[r].about.at("columns")) {
      const std::string name = described.at("name"), group = described.value("group", "");
      if (&described == &runs[r].about.at("columns").front()) continue;  // time
      auto panel = std::find_if(panels.begin(), panels.end(), [&](const Panel& p) { return p.title == group; });
      if (panel == panels.end()) panel = panels.insert(panels.end(), Panel{.title = group});
      std::size_t of_this_run = 0;
      for (const Line& line : panel->lines) of_this_run += line.dash == r;
      if (of_this_run >= most_lines / runs.size()) continue;
      panel->lines.push_back(
          {with_label(name, labels[r]), runs[r].series.columns[0], *column(runs[r].series, name), of_this_run, r});
    }
  return panels;
}

std::vector<Panel> constraint_panels(const Runs& runs) {
  const std::pair<const char*, const char*> levels[] = {
      {"g", "constraint g"}, {"g_1", "its derivative Dg f"}, {"g_2", "the hidden constraint"}};
  const auto labels = run_labels(runs);
  Panel panel{.title = "residuals of the constraints, max norm", .log = true};
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (std::size_t level = 0; level < std::size(levels); ++level) {
      const Vector* values = column(runs[r].steps, levels[level].first);
      if (!values || values->empty()) continue;
      Line line{with_label(levels[level].second, labels[r]), runs[r].steps.columns[0], *values, level, r};
      for (double& y : line.y) y = std::max(y, zero);
      panel.lines.push_back(std::move(line));
    }
  return panel.lines.empty() ? std::vector<Panel>{} : std::vector<Panel>{panel};
}

std::vector<Panel> step_panels(const Runs& runs) {
  const auto labels = run_labels(runs);
  Panel panel{.title = "step size", .log = true, .steps = true};
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (const Vector* h = column(runs[r].steps, "h"); h && !h->empty())
      panel.lines.push_back({labels[r].empty() ? "h" : labels[r], runs[r].steps.columns[0], *h, r, r});
  return panel.lines.empty() ? std::vector<Panel>{} : std::vector<Panel>{panel};
}

// A position and its velocity if the groups tell, otherwise the first two results.
std::vector<Panel> phase_panels(const Runs& runs) {
  const auto labels = run_labels(runs);
  const Json& columns = runs[0].about.at("columns");
  const auto first_of = [&](std::initializer_list<const char*> groups) -> std::string {
    for (const Json& one : columns)
      for (const char* group : groups)
        if (one.value("group", "") == group) return one.at("name");
    return "";
  };
  std::string across = first_of({"position", "q", "u"}), up = first_of({"velocity", "v"});
  if ((across.empty() || up.empty()) && columns.size() > 2) {
    across = columns[1].at("name");
    up = columns[2].at("name");
  }
  Panel panel{.title = fmt::format("{} over {}", up, across), .x_label = across};
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Vector *x = column(runs[r].series, across), *y = column(runs[r].series, up);
    if (x && y) panel.lines.push_back({labels[r].empty() ? up : labels[r], *x, *y, r, r});
  }
  return panel.lines.empty() ? std::vector<Panel>{} : std::vector<Panel>{panel};
}

std::vector<Panel> panels_for(const std::string& view, const Runs& runs) {
  if (view == "results") return result_panels(runs);
  if (view == "constraints") return constraint_panels(runs);
  if (view == "steps") return step_panels(runs);
  if (view == "phase") return phase_panels(runs);
  std::vector<Panel> all = constraint_panels(runs);
  const auto results = result_panels(runs), steps = step_panels(runs);
  all.insert(all.begin(), results.begin(), results.begin() + std::min<std::ptrdiff_t>(3, std::ssize(results)));
  all.insert(all.end(), steps.begin(), steps.end());
  return all;
}

void append_data(std::string& script, const std::string& name, const Line& line) {
  Table table;
  table.add("x", line.x);
  table.add("y", line.y);
  fmt::format_to(std::back_inserter(script), "${} << EOD\n", name);
  for (const std::size_t row : rows_that_show(table, most_values))
    fmt::format_to(std::back_inserter(script), "{:.9g} {:.9g}\n", line.x[row], line.y[row]);
  script += "EOD\n";
}

std::string script_for(const Panel& panel, std::size_t number) {
  std::string script, plot;
  for (std::size_t k = 0; k < panel.lines.size(); ++k) {
    const Line& line = panel.lines[k];
    const std::string name = fmt::format("d{}_{}", number, k);
    append_data(script, name, line);
    plot += fmt::format("{}${} using 1:2 with {} lw 1.6 lc rgb '{}' dt {} title {}", k == 0 ? "plot " : ", ", name,
                        panel.steps ? "fsteps" : "lines", colours[line.colour % std::size(colours)], 1 + line.dash % 4,
                        gnuplot_text(line.label));
  }
  return fmt::format("{}set title {}\nset xlabel {}\n{}\n{}\n", script, gnuplot_text(panel.title),
                     gnuplot_text(panel.x_label),
                     panel.log ? "set logscale y\nset format y '%.0e'" : "unset logscale y\nset format y '%g'", plot);
}

}  // namespace

std::vector<std::string> run_labels(const std::vector<ReportRun>& runs) {
  if (runs.size() == 1) return {""};
  std::vector<std::string> labels(runs.size());
  for (const char* key : {"method", "project", "rtol", "steps", "step_size", "level", "set"}) {
    std::set<std::string> values;
    for (const ReportRun& run : runs)
      values.insert(run.about.at("options").contains(key) ? json_text(run.about.at("options").at(key)) : "");
    if (values.size() < 2) continue;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const Json& options = runs[r].about.at("options");
      if (!options.contains(key)) continue;
      const Json& value = options.at(key);
      labels[r] += fmt::format("{}{}{}", labels[r].empty() ? "" : ", ",
                               std::string_view(key) == "method" ? "" : fmt::format("{} ", key),
                               value.is_string() ? value.get<std::string>() : json_text(value));
    }
  }
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (labels[r].empty()) labels[r] = fmt::format("run {}", r + 1);
  return labels;
}

std::string plot_picture(const std::string& path, const std::string& view, const std::vector<ReportRun>& runs) {
  if (view == "motion" || path.ends_with(".gif")) return motion_picture(path, runs[0]);
  const std::vector<Panel> panels = panels_for(view, runs);
  if (panels.empty()) throw Stop(ExitCode::usage, fmt::format("--plot {}: there are no {} to draw", path, view));
  const int count = static_cast<int>(panels.size());
  std::string script = terminal_for(path, 800, count == 1 ? 450 : 260 * count);
  script += "set grid lc rgb '#dddddd'\nset key bmargin center horizontal\nset border 3\nset tics nomirror\n";
  if (count > 1) script += fmt::format("set multiplot layout {},1\n", count);
  for (std::size_t k = 0; k < panels.size(); ++k) script += script_for(panels[k], k);
  if (count > 1) script += "unset multiplot\n";
  return gnuplot_picture(script, path);
}

}  // namespace driftless::cli
