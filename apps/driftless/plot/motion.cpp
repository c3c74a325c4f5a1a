#include "apps/driftless/plot/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "apps/driftless/plot/gnuplot.h"
#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/report/thin_rows.h"

namespace driftless::cli {

namespace {

constexpr std::size_t positions_in_a_picture = 6, frames_of_an_animation = 120, points_of_a_trace = 2000;

struct Point {
  double x, y;
};

// Frames as points of the plane; spatial ones as seen from aside and above, as the report does at first.
class Scene {
 public:
  explicit Scene(const ReportRun& run) : frames_(run.frames), shape_(run.about.at("drawing")) {
    dimension_ = shape_.at("dimension");
    points_ = (frames_.columns.size() - 1) / dimension_;
  }
  std::size_t frames() const { return frames_.rows(); }
  std::size_t points() const { return points_; }
  const Json& shape() const { return shape_; }
  double time(std::size_t frame) const { return frames_.columns[0][frame]; }
  Point at(std::size_t point, std::size_t frame) const {
    const auto coordinate = [&](std::size_t d) { return frames_.columns[1 + point * dimension_ + d][frame]; };
    if (dimension_ == 2) return {coordinate(0), coordinate(1)};
    const double a = 0.5, b = 0.35;
    const double across = std::cos(a) * coordinate(0) - std::sin(a) * coordinate(1);
    const double depth = std::sin(a) * coordinate(0) + std::cos(a) * coordinate(1);
    return {across, std::cos(b) * coordinate(2) + std::sin(b) * depth};
  }

 private:
  const Table& frames_;
  const Json& shape_;
  std::size_t dimension_, points_;
};

void append(std::string& script, const Point& p) {
  fmt::format_to(std::back_inserter(script), "{:.9g} {:.9g}\n", p.x, p.y);
}

// A zigzag between two points.
void append_spring(std::string& script, const Point& a, const Point& b, double width) {
  constexpr int turns = 12;
  const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-300);
  const double nx = -(b.y - a.y) / length, ny = (b.x - a.x) / length;
  append(script, a);
  for (int i = 1; i < turns; ++i) {
    const double s = static_cast<double>(i) / turns, side = i == 1 || i == turns - 1 ? 0.0 : i % 2 ? width : -width;
    append(script, {a.x + s * (b.x - a.x) + side * nx, a.y + s * (b.y - a.y) + side * ny});
  }
  append(script, b);
  script += "\n";
}

struct Bounds {
  double left, right, bottom, top;
  double size() const { return std::max({right - left, top - bottom, 1e-300}); }
};
Bounds bounds_of(const Scene& scene) {
  Bounds bounds{1e300, -1e300, 1e300, -1e300};
  for (std::size_t frame = 0; frame < scene.frames(); ++frame)
    for (std::size_t p = 0; p < scene.points(); ++p) {
      const auto [x, y] = scene.at(p, frame);
      bounds = {std::min(bounds.left, x), std::max(bounds.right, x), std::min(bounds.bottom, y),
                std::max(bounds.top, y)};
    }
  return bounds;
}

std::string trace_data(const Scene& scene, std::size_t until) {
  std::string script = "$traces << EOD\n";
  for (const std::size_t point : scene.shape().at("traces").get<std::vector<std::size_t>>()) {
    for (const std::size_t frame : rows_evenly(until + 1, points_of_a_trace)) append(script, scene.at(point, frame));
    script += "\n";
  }
  return script + "EOD\n";
}

// Links, springs, bodies and joints at one frame, as data blocks whose names end in `suffix`.
std::string frame_data(const Scene& scene, std::size_t frame, const std::string& suffix, double spring_width) {
  const Json& shape = scene.shape();
  std::string script = fmt::format("$links{} << EOD\n", suffix);
  for (const Json& link : shape.at("links")) {
    append(script, scene.at(link[0], frame));
    append(script, scene.at(link[1], frame));
    script += "\n";
  }
  fmt::format_to(std::back_inserter(script), "EOD\n$springs{} << EOD\n", suffix);
  for (const Json& spring : shape.at("springs"))
    append_spring(script, scene.at(spring[0], frame), scene.at(spring[1], frame), spring_width);
  fmt::format_to(std::back_inserter(script), "EOD\n$bodies{} << EOD\n", suffix);
  for (const Json& body : shape.at("bodies")) {
    for (const std::size_t corner : {0u, 1u, 2u, 0u}) append(script, scene.at(body[corner], frame));
    script += "\n";
  }
  const auto ground = shape.at("ground").get<std::vector<std::size_t>>();
  std::string joints, fixed;
  for (std::size_t p = 0; p < scene.points(); ++p)
    append(std::find(ground.begin(), ground.end(), p) == ground.end() ? joints : fixed, scene.at(p, frame));
  return script + fmt::format("EOD\n$joints{0} << EOD\n{1}EOD\n$ground{0} << EOD\n{2}EOD\n", suffix, joints, fixed);
}

// Earlier positions are paler.
std::string plot_parts(const Scene& scene, const std::string& suffix, double strength) {
  const auto shade = [&](unsigned r, unsigned g, unsigned b) {
    const auto mix = [&](unsigned c) { return static_cast<unsigned>(255.0 - strength * (255.0 - c)); };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(r), mix(g), mix(b));
  };
  std::string plot;
  const auto add = [&](const char* what, const std::string& style) {
    plot += fmt::format("{}${}{} using 1:2 {} notitle", plot.empty() ? "" : ", ", what, suffix, style);
  };
  const Json& shape = scene.shape();
  if (!shape.at("bodies").empty()) {
    add("bodies", fmt::format("with filledcurves closed fs solid {:.2f} noborder lc rgb '#009E73'", 0.25 * strength));
    add("bodies", fmt::format("with lines lw 2 lc rgb '{}'", shade(0, 0x9e, 0x73)));
  }
  if (!shape.at("springs").empty())
    add("springs", fmt::format("with lines lw 1.5 lc rgb '{}'", shade(0xcc, 0x79, 0xa7)));
  if (!shape.at("links").empty()) add("links", fmt::format("with lines lw 3 lc rgb '{}'", shade(0, 0x72, 0xb2)));
  if (shape.at("ground").size() < scene.points())
    add("joints", fmt::format("with points pt 7 ps 0.7 lc rgb '{}'", shade(0x30, 0x30, 0x30)));
  if (!shape.at("ground").empty()) add("ground", "with points pt 5 ps 1.1 lc rgb '#111111'");
  return plot;
}

std::string traces_plot(const Scene& scene) {
  return scene.shape().at("traces").empty() ? "" : "$traces using 1:2 with lines lw 1 lc rgb '#D55E00' notitle, ";
}

std::string still(const Scene& scene, double spring_width) {
  const auto chosen = rows_evenly(scene.frames(), positions_in_a_picture);
  std::string script = trace_data(scene, scene.frames() - 1), plot;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const std::string suffix = std::to_string(k);
    script += frame_data(scene, chosen[k], suffix, spring_width);
    const double strength = 0.2 + 0.8 * static_cast<double>(k + 1) / static_cast<double>(chosen.size());
    plot += (k == 0 ? "" : ", ") + plot_parts(scene, suffix, strength);
  }
  return script + "plot " + traces_plot(scene) + plot + "\n";
}

std::string animated(const Scene& scene, double spring_width) {
  std::string script;
  for (const std::size_t frame : rows_evenly(scene.frames(), frames_of_an_animation)) {
    script += trace_data(scene, frame) + frame_data(scene, frame, "0", spring_width);
    script += fmt::format("set title 't = {:.4g}'\nplot {}{}\n", scene.time(frame), traces_plot(scene),
                          plot_parts(scene, "0", 1.0));
  }
  return script;
}

}  // namespace

std::string motion_picture(const std::string& path, const ReportRun& run) {
  if (run.frames.rows() == 0)
    throw Stop(ExitCode::usage,
               fmt::format("--plot {}: the model has no drawing\n  try:   annotation(__driftless(points = "
                           "[0, 0; x, y], links = [1, 2])), see docs/reports.md",
                           path));
  const Scene scene(run);
  const Bounds b = bounds_of(scene);
  const double margin = 0.08 * b.size();
  std::string script = terminal_for(path, 640, 480);
  script += fmt::format(
      "set size ratio -1\nunset border\nunset tics\nset xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n",
      b.left - margin, b.right + margin, b.bottom - margin, b.top + margin);
  script += path.ends_with(".gif") ? animated(scene, 0.02 * b.size()) : still(scene, 0.02 * b.size());
  return gnuplot_picture(script, path);
}

}  // namespace driftless::cli
