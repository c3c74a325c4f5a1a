// driftless analyse pencil: A x' = B x with constant matrices: regularity, index, eigenvalues, and how solutions grow.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/norm_option.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/terminal.h"
#include "driftless/analysis/stability/pencil.h"
#include "driftless/analysis/stability/pencil_structure.h"
#include "driftless/core/phase.h"

namespace driftless::cli {

namespace {

struct PencilRequest {
  std::string a, b;
  NormRequest norm;
  std::optional<double> tolerance;
  bool json = false;
};

struct Findings {
  Names unknowns;
  std::size_t equations = 0;
  PencilStructure structure;
  std::string norm;
  std::optional<double> upper = {}, lower = {};  // logarithmic norms on V*
};

Names unknowns_of(const MatrixFile& a, const MatrixFile& b) {
  if (!a.names.empty() && !b.names.empty() && a.names != b.names)
    throw Stop(ExitCode::file, fmt::format("the columns of {} and {} have different names", a.path, b.path));
  Names names = a.names.empty() ? b.names : a.names;
  for (std::size_t i = names.size(); i < a.values.cols(); ++i) names.push_back(fmt::format("x{}", i + 1));
  return names;
}

Findings look_at(const PencilRequest& request) {
  const MatrixFile a = read_matrix(request.a), b = read_matrix(request.b);
  const double tolerance = request.tolerance.value_or(rank_tolerance);
  if (!(tolerance > 0.0 && tolerance < 1.0))
    throw Stop(ExitCode::usage, fmt::format("--tolerance is between 0 and 1, and {} is not", tolerance));
  if (a.values.rows() != b.values.rows() || a.values.cols() != b.values.cols())
    throw Stop(ExitCode::file,
               fmt::format("A and B must have the same size, but {} is {} x {} and {} is {} x {}", a.path,
                           a.values.rows(), a.values.cols(), b.path, b.values.rows(), b.values.cols()));
  Findings findings{.unknowns = unknowns_of(a, b), .equations = a.values.rows(), .structure = {}, .norm = {}};
  findings.structure = analyse_pencil(a.values, b.values, tolerance);
  // The norm is one of A x: one component per equation.
  Names rows;
  for (std::size_t i = 0; i < a.values.rows(); ++i) rows.push_back(fmt::format("equation {}", i + 1));
  const Norm norm = norm_from(request.norm, rows);
  findings.norm = norm.name();
  const Matrix& v = findings.structure.subspace;
  if (!findings.structure.regular || v.cols() == 0 || !is_admissible(a.values, v)) return findings;
  const double upper = pencil_logarithmic_norm(a.values, b.values, v, norm);
  const double lower = lower_pencil_logarithmic_norm(a.values, b.values, v, norm);
  if (std::isfinite(upper)) findings.upper = upper;
  if (std::isfinite(lower)) findings.lower = lower;
  return findings;
}

double clean(double x, double size) { return std::abs(x) <= 1e-13 * size ? 0.0 : x; }

std::string text_of(std::complex<double> s) {
  const double re = clean(s.real(), std::abs(s)), im = clean(s.imag(), std::abs(s));
  if (im == 0.0) return fmt::format("{:.8g}", re);
  return fmt::format("{:.8g} {} {:.8g}i", re, im < 0.0 ? '-' : '+', std::abs(im));
}

std::string eigenvalue_text(const PencilStructure& structure) {
  if (structure.eigenvalues.empty()) return "none: x = 0 is the only solution";
  std::vector<std::string> words;
  for (const auto& s : structure.eigenvalues) words.push_back(text_of(s));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string infinite_text(const PencilStructure& structure) {
  if (structure.infinite_blocks.empty()) return "none: A is regular";
  return fmt::format("{} of size {}", counted(structure.infinite_blocks.size(), "block", "blocks"),
                     fmt::join(structure.infinite_blocks, ", "));
}

std::string growth_text(const Findings& findings) {
  if (!findings.upper || !findings.lower) return {};
  return fmt::format("exp({:.8g} t) |A x(0)| <= |A x(t)| <= exp({:.8g} t) |A x(0)| in the {}",
                     clean(*findings.lower, 1.0), clean(*findings.upper, 1.0), findings.norm);
}

std::string ranks_text(const PencilStructure& structure) {
  std::string text = fmt::format("smallest singular value that counts {:.2g}, largest that counts as 0 {:.2g}",
                                 structure.smallest_kept, structure.largest_dropped);
  if (!structure.is_clear())
    text += fmt::format(": near the tolerance of {:g}, so that a digit in the data may change the structure",
                        structure.tolerance);
  return text;
}

void print(const PencilRequest& request, const Findings& findings) {
  const PencilStructure& structure = findings.structure;
  const std::size_t n = findings.unknowns.size();
  const auto line = [](const char* label, const std::string& content) {
    if (!content.empty()) say("{}", labelled(label, content, terminal_width(), 16));
  };
  say("{}: A = {}, B = {}, {}, {}\n\n", bold("A x' = B x"), request.a, request.b,
      counted(findings.equations, "equation", "equations"), counted(n, "unknown", "unknowns"));
  if (structure.regular) {
    line("  regular", "yes: det(s A - B) is not 0 for all s");
    line("  index", std::to_string(structure.index));
    line("  eigenvalues", eigenvalue_text(structure));
    line("  at infinity", infinite_text(structure));
    line("  solutions", fmt::format("in a space of dimension {} of {}; other starts are not consistent",
                                    structure.subspace.cols(), n));
    line("  growth", growth_text(findings));
  } else if (findings.equations == n) {
    line("  regular",
         "no: det(s A - B) = 0 for all s. Some unknowns are free, some equations depend on others, and "
         "there is no index");
  } else {
    line("  regular", fmt::format("no: {} for {}", counted(findings.equations, "equation", "equations"),
                                  counted(n, "unknown", "unknowns")));
  }
  line("  ranks", ranks_text(structure));
}

Json as_json(const PencilRequest& request, const Findings& findings) {
  const PencilStructure& structure = findings.structure;
  Json object = {{"status", "ok"},
                 {"a", request.a},
                 {"b", request.b},
                 {"unknowns", findings.unknowns},
                 {"equations", findings.equations},
                 {"regular", structure.regular},
                 {"index", structure.regular ? Json(structure.index) : Json(nullptr)}};
  Json eigenvalues = Json::array(), basis = Json::array();
  for (const auto& s : structure.eigenvalues) eigenvalues.push_back({{"re", s.real()}, {"im", s.imag()}});
  for (std::size_t j = 0; j < structure.subspace.cols(); ++j)
    basis.push_back(json_numbers(structure.subspace.view().column(j)));
  if (structure.regular) {
    object["eigenvalues"] = std::move(eigenvalues);
    object["infinite_blocks"] = structure.infinite_blocks;
    object["solution_space"] = std::move(basis);
    object["growth"] = {{"norm", findings.norm},
                        {"upper", findings.upper ? Json(*findings.upper) : Json(nullptr)},
                        {"lower", findings.lower ? Json(*findings.lower) : Json(nullptr)}};
  }
  object["ranks"] = {{"tolerance", structure.tolerance},
                     {"smallest_kept", structure.smallest_kept},
                     {"largest_dropped", structure.largest_dropped},
                     {"clear", structure.is_clear()}};
  return object;
}

ExitCode run(const PencilRequest& request) {
  const Phase phase("analysis");
  const Findings findings = look_at(request);
  if (request.json)
    answer(as_json(request, findings));
  else
    print(request, findings);
  return ExitCode::ok;
}

}  // namespace

Command analyse_pencil_command() {
  const auto request = std::make_shared<PencilRequest>();
  Command command{
      .name = "analyse pencil",
      .summary = "index and eigenvalues of A x' = B x, from two matrices",
      .details =
          "Two CSV files with a row for each equation and a column for each unknown, with or without a line "
          "of names. Tells whether the pencil is regular, its index, its finite eigenvalues, the blocks at "
          "infinity, where solutions live, and how fast |A x| can grow or fall: the logarithmic norms of "
          "the pencil (Higueras and Garcia-Celayeta 1999).",
      .examples =
          "driftless analyse pencil A.csv B.csv\n"
          "driftless analyse pencil A.csv B.csv --norm inf --json",
      .options = {{.name = "A",
                   .target = &request->a,
                   .text = "the matrix before x', a CSV file",
                   .required = true,
                   .file_endings = {".csv"}},
                  {.name = "B",
                   .target = &request->b,
                   .text = "the matrix before x, a CSV file",
                   .required = true,
                   .file_endings = {".csv"}}},
      .run = [request] { return run(*request); }};
  for (Option& option : norm_options(request->norm)) command.options.push_back(std::move(option));
  command.options.push_back(
      option("--tolerance TOL", &request->tolerance,
             "singular values below this count as 0, relative to the size of A and B (default: 1e-10)", "What"));
  command.options.push_back(option("--json", &request->json, "one JSON object", "Output"));
  return command;
}

}  // namespace driftless::cli
