#include "apps/driftless/commands/linear_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/output/csv_field.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/number_digits.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"

namespace driftless::cli {

namespace {

constexpr double pi = std::numbers::pi;

std::string eigenvalue_text(std::complex<double> z) {
  if (z.imag() == 0.0) return fmt::format("{:.6g}", z.real());
  return fmt::format("{:.6g} {} {:.6g}i", z.real(), z.imag() < 0.0 ? '-' : '+', std::abs(z.imag()));
}

// The components that move most, in their usual sizes.
std::string movers(const LinearFindings& found, const LinearMode& mode) {
  std::vector<std::size_t> order(mode.shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(
      order, [&](std::size_t i, std::size_t j) { return std::abs(mode.shape[i]) > std::abs(mode.shape[j]) + 1e-9; });
  std::vector<std::string> words;
  for (const std::size_t i : order) {
    if (words.size() == 4 || std::abs(mode.shape[i]) < 0.1) break;
    const double phase = std::arg(mode.shape[i]) * 180.0 / pi;
    words.push_back(
        std::abs(phase) < 0.05
            ? fmt::format("{} {:.2g}", found.system.components[i], std::abs(mode.shape[i]))
            : fmt::format("{} {:.2g} at {:.0f}°", found.system.components[i], std::abs(mode.shape[i]), phase));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> remarks(const LinearFindings& found) {
  const Linearisation& system = found.system;
  std::vector<std::string> all;
  if (system.at_equilibrium()) {
    all.push_back(system.stable()     ? "an equilibrium, stable"
                  : system.unstable() ? "an equilibrium, unstable"
                                      : "an equilibrium; the linear system alone does not decide whether it is stable");
  } else {
    all.push_back(
        fmt::format("no equilibrium: the state changes by {:.3g} of its usual size a unit of time; "
                    "eigenvalues depend on the coordinates",
                    system.slope));
  }
  if (system.drift > 1e-6)
    all.push_back(fmt::format("the equations depend on time, and are frozen at t = {:.9g}", system.time));
  return all;
}

std::vector<std::vector<std::string>> mode_rows(const LinearFindings& found) {
  std::vector<std::vector<std::string>> rows;
  for (const LinearMode& mode : found.system.modes) {
    const std::complex<double> z = mode.eigenvalue;
    if (z.imag() < 0.0) continue;  // the other of a pair
    const double size = std::abs(z);
    rows.push_back({eigenvalue_text(z) + (z.imag() > 0.0 ? " and conjugate" : ""),
                    z.imag() > 0.0 ? fmt::format("{:.6g}", z.imag() / (2.0 * pi)) : "-",
                    z.imag() > 0.0 ? fmt::format("{:.4g}", -z.real() / size) : "-",
                    z.real() < 0.0 ? fmt::format("{:.4g}", -1.0 / z.real()) : "-", movers(found, mode)});
  }
  return rows;
}

std::string matrix_text(const Matrix& matrix, const Names& titles) {
  std::string text;
  for (std::size_t j = 0; j < titles.size(); ++j) text += (j > 0 ? "," : "") + csv_field(in_model_quotes(titles[j]));
  text += '\n';
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.cols(); ++j) {
      char digits[longest_number];
      if (j > 0) text += ',';
      text.append(digits, put_number(digits, matrix(i, j)));
    }
    text += '\n';
  }
  return text;
}

Json matrix_json(const Matrix& matrix) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < matrix.cols(); ++j) row.push_back(json_number(matrix(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

// From a tenth of the slowest to ten times the quickest mode, a hundred frequencies a decade at most.
Vector frequencies(const Linearisation& system) {
  double low = 1e300, high = 0.0;
  for (const LinearMode& mode : system.modes) {
    const double size = std::abs(mode.eigenvalue);
    if (size < 1e-9) continue;
    low = std::min(low, size);
    high = std::max(high, size);
  }
  if (high == 0.0) low = high = 1.0;
  low *= 0.1 / (2.0 * pi);
  high *= 10.0 / (2.0 * pi);
  const double decades = std::log10(high / low);
  const auto count = static_cast<std::size_t>(std::min(1000.0, std::ceil(100.0 * decades)));
  Vector all;
  for (std::size_t i = 0; i <= count; ++i)
    all.push_back(low * std::pow(10.0, decades * static_cast<double>(i) / static_cast<double>(count)));
  return all;
}

// The phase goes on from frequency to frequency instead of jumping by a turn.
Section bode(const LinearFindings& found) {
  const Linearisation& system = found.system;
  const std::size_t shown = found.options.outputs.size();
  Picture size{.title = "Amplitude", .x = "frequency [Hz]", .log_x = true, .log_y = true, .y = "amplitude"};
  Picture phase{.title = "Phase", .x = "frequency [Hz]", .log_x = true, .y = "phase [degrees]"};
  const Vector at = frequencies(system);
  for (std::size_t k = 0; k < found.options.inputs.size(); ++k)
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string label = fmt::format("{} from {}", found.options.outputs[i], found.options.inputs[k]);
      Curve amplitude{.label = label}, angle{.label = label};
      double turns = 0.0, before = 0.0;
      for (const double f : at) {
        const std::complex<double> g = frequency_response(system, 2.0 * pi * f)[k * shown + i];
        const double degrees = std::arg(g) * 180.0 / pi;
        if (!angle.x.empty()) turns += 360.0 * std::round((before - degrees) / 360.0 - turns / 360.0);
        before = degrees + turns;
        amplitude.x.push_back(f);
        amplitude.y.push_back(std::abs(g));
        angle.x.push_back(f);
        angle.y.push_back(before);
      }
      size.curves.push_back(std::move(amplitude));
      phase.curves.push_back(std::move(angle));
    }
  return {.id = "bode", .title = "Bode plot", .pictures = {std::move(size), std::move(phase)}};
}

// Until the slowest decaying mode has settled, or ten periods of the slowest one that does not.
Section steps(const LinearFindings& found) {
  double end = 0.0;
  for (const LinearMode& mode : found.system.modes) {
    const double rate = -mode.eigenvalue.real(), size = std::abs(mode.eigenvalue);
    if (size > 1e-9) end = std::max(end, rate > 0.02 * size ? 6.0 / rate : 20.0 * pi / size);
  }
  if (end == 0.0) end = 1.0;
  Vector times;
  for (std::size_t i = 0; i <= 400; ++i) times.push_back(end * static_cast<double>(i) / 400.0);
  Picture picture{.title = "After a step of one input from 0 to 1", .x = "t [s]"};
  for (std::size_t k = 0; k < found.options.inputs.size(); ++k) {
    const Matrix response = step_response(found.system, k, times);
    for (std::size_t i = 0; i < response.cols(); ++i) {
      Curve curve{.label = fmt::format("{} from {}", found.options.outputs[i], found.options.inputs[k]), .x = times};
      for (std::size_t row = 0; row < times.size(); ++row) curve.y.push_back(response(row, i));
      picture.curves.push_back(std::move(curve));
    }
  }
  return {.id = "step", .title = "Step response", .what = "of the linear system", .pictures = {std::move(picture)}};
}

bool has_transfer(const LinearFindings& found) {
  return !found.options.inputs.empty() && !found.options.outputs.empty();
}

}  // namespace

std::string linear_text(const LinearFindings& found, const std::vector<std::string>& written) {
  std::string text = fmt::format("{} at t = {:.9g}: {}\n", bold(found.model), found.system.time,
                                 counted(found.system.a.cols(), "degree of freedom", "degrees of freedom"));
  for (const std::string& remark : remarks(found)) text += fmt::format("  {}\n", remark);
  text += fmt::format("  derivatives agree to {:.1e}\n\n", std::max(found.system.accuracy, 1e-16));
  using Align = TextTable::Align;
  TextTable table(
      {{"eigenvalue"}, {"Hz", Align::right}, {"damping", Align::right}, {"decays in", Align::right}, {"moves"}});
  for (auto& row : mode_rows(found)) table.add(std::move(row));
  if (!table.empty()) text += table.text(2);
  for (const std::string& file : written) text += fmt::format("\nwritten: {}", file);
  return written.empty() ? text : text + '\n';
}

Json linear_json(const LinearFindings& found) {
  const Linearisation& system = found.system;
  Json state = Json::object(), modes = Json::array();
  for (std::size_t i = 0; i < system.components.size(); ++i) state[system.components[i]] = system.state[i];
  for (const LinearMode& mode : system.modes) {
    Json shape = Json::object();
    for (std::size_t i = 0; i < mode.shape.size(); ++i)
      shape[system.components[i]] = {json_number(mode.shape[i].real()), json_number(mode.shape[i].imag())};
    modes.push_back({{"real", json_number(mode.eigenvalue.real())},
                     {"imag", json_number(mode.eigenvalue.imag())},
                     {"shape", std::move(shape)}});
  }
  return {{"status", "ok"},
          {"model", found.model},
          {"t", system.time},
          {"equilibrium", system.at_equilibrium()},
          {"slope", json_number(system.slope)},
          {"depends_on_time", system.drift > 1e-6},
          {"accuracy", json_number(system.accuracy)},
          {"remarks", remarks(found)},
          {"state", std::move(state)},
          {"modes", std::move(modes)},
          {"inputs", found.options.inputs},
          {"outputs", found.options.outputs},
          {"basis", matrix_json(system.basis)},
          {"A", matrix_json(system.a)},
          {"B", matrix_json(system.b)},
          {"C", matrix_json(system.c)},
          {"D", matrix_json(system.d)}};
}

Article linear_article(const LinearFindings& found) {
  Section summary{.id = "summary", .title = "Modes"};
  for (const std::string& remark : remarks(found)) summary.remarks.push_back({"note", remark});
  summary.tables.push_back({.title = "Eigenvalues",
                            .columns = {{"eigenvalue"}, {"Hz"}, {"damping"}, {"decays in"}, {"moves", false}},
                            .rows = mode_rows(found)});
  Picture plane{.title = "Eigenvalues", .x = "real part", .y = "imaginary part", .plane = true};
  Curve points{.label = "eigenvalues", .style = Curve::Style::points};
  for (const LinearMode& mode : found.system.modes) {
    points.x.push_back(mode.eigenvalue.real());
    points.y.push_back(mode.eigenvalue.imag());
    points.names.push_back(eigenvalue_text(mode.eigenvalue));
  }
  plane.curves.push_back(std::move(points));
  if (!found.system.modes.empty()) summary.pictures.push_back(std::move(plane));
  Article article{.title = found.model,
                  .subtitle = fmt::format("linearised at t = {:.9g}{}", found.system.time,
                                          found.title.empty() ? "" : ": " + found.title),
                  .sections = {std::move(summary)}};
  if (!has_transfer(found)) return article;
  article.sections.push_back(bode(found));
  article.sections.push_back(steps(found));
  return article;
}

MatrixFiles::MatrixFiles(const std::string& name) {
  if (name.empty()) return;
  for (const char letter : {'A', 'B', 'C', 'D'})
    files_.push_back(std::make_unique<PendingFile>(fmt::format("{}.{}.csv", name, letter)));
}

std::vector<std::string> MatrixFiles::write(const LinearFindings& found) {
  if (files_.empty()) return {};
  Names coordinates;
  for (std::size_t j = 0; j < found.system.a.cols(); ++j) coordinates.push_back(fmt::format("y{}", j + 1));
  const std::pair<const Matrix*, const Names*> all[] = {{&found.system.a, &coordinates},
                                                        {&found.system.b, &found.options.inputs},
                                                        {&found.system.c, &coordinates},
                                                        {&found.system.d, &found.options.inputs}};
  std::vector<std::string> written;
  for (std::size_t k = 0; k < files_.size(); ++k) {
    if (k > 0 && !has_transfer(found)) break;
    files_[k]->write(matrix_text(*all[k].first, *all[k].second));
    files_[k]->commit();
    written.push_back(fmt::format("{}: {} x {}", files_[k]->path(), all[k].first->rows(), all[k].first->cols()));
  }
  return written;
}

}  // namespace driftless::cli
