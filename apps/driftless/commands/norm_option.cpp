#include "apps/driftless/commands/norm_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/driftless/model/model_text.h"
#include "apps/driftless/program/names.h"
#include "driftless/linalg/dense.h"

namespace driftless::cli {

namespace {

const std::vector<std::string> named_norms = {"1", "2", "inf"};

bool has_name(const std::string& norm) {
  return std::find(named_norms.begin(), named_norms.end(), norm) != named_norms.end();
}

[[noreturn]] void refuse(const MatrixFile& file, const std::string& what) {
  throw Stop(ExitCode::file, fmt::format("{}: {}", file.path, what));
}

// Where each component stands in the file.
std::vector<std::size_t> positions(const MatrixFile& file, const Names& components) {
  const std::size_t n = components.size();
  if (file.values.cols() != n || file.values.rows() != n)
    refuse(file, fmt::format("the matrix of the norm is {} x {}, but there are {} components: {}", file.values.rows(),
                             file.values.cols(), n, fmt::join(components, ", ")));
  std::vector<std::size_t> places(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (file.names.empty()) {
      places[i] = i;
      continue;
    }
    auto found = std::find(file.names.begin(), file.names.end(), components[i]);
    if (found == file.names.end())  // as tables of results have it
      found = std::find(file.names.begin(), file.names.end(), unquoted(components[i]));
    if (found == file.names.end())
      refuse(file, fmt::format("no column is called {}{}\n  known:  {}", components[i],
                               perhaps(components[i], file.names), fmt::join(components, ", ")));
    places[i] = static_cast<std::size_t>(found - file.names.begin());
  }
  return places;
}

void require_symmetric(const MatrixFile& file) {
  const Matrix& g = file.values;
  for (std::size_t i = 0; i < g.rows(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!(std::abs(g(i, j) - g(j, i)) <= 1e-12 * std::sqrt(std::abs(g(i, i) * g(j, j)))))
        refuse(file, fmt::format("sqrt(x^T G x) is a norm if G is symmetric, but row {0}, column {1} is {2} and row "
                                 "{1}, column {0} is {3}\n  try:   --transform {4} for |W x| with any regular W",
                                 i + 1, j + 1, g(i, j), g(j, i), file.path));
}

void require_positive(const MatrixFile& file) {
  const SymmetricEigen eigen = symmetric_eigen(file.values);
  const double smallest = eigen.values.front(), largest = eigen.values.back();
  const double rounding = static_cast<double>(file.values.rows()) * std::numeric_limits<double>::epsilon() *
                          std::max(std::abs(smallest), std::abs(largest));
  if (smallest > rounding) return;
  std::vector<std::string> direction;
  for (std::size_t i = 0; i < file.values.rows(); ++i)
    direction.push_back(fmt::format("{:.4g}", eigen.vectors(i, 0) + 0.0));
  refuse(file, fmt::format("sqrt(x^T G x) is a norm if G is positive definite, but x^T G x = {:.4g} for x = ({})",
                           std::abs(smallest) <= rounding ? 0.0 : smallest, fmt::join(direction, ", ")));
}

Norm inner_product_from(const std::string& path, const Names& components) {
  const MatrixFile file = read_matrix(path);
  const auto places = positions(file, components);
  require_symmetric(file);
  require_positive(file);
  Matrix g(components.size(), components.size());
  for (std::size_t i = 0; i < g.rows(); ++i)
    for (std::size_t j = 0; j < g.cols(); ++j) g(i, j) = file.values(places[i], places[j]);
  return Norm::inner_product(g);
}

Norm transformed_from(const NormRequest& request, const Names& components) {
  const MatrixFile file = read_matrix(request.transform);
  const auto places = positions(file, components);
  Matrix w(components.size(), components.size());
  for (std::size_t i = 0; i < w.rows(); ++i)
    for (std::size_t j = 0; j < w.cols(); ++j) w(i, j) = file.values(i, places[j]);
  const double largest = largest_singular_value(w), smallest = smallest_singular_value(w);
  if (!(smallest > static_cast<double>(w.rows()) * std::numeric_limits<double>::epsilon() * largest))
    refuse(file, fmt::format("|W x| is a norm if W is regular, but its singular values go from {:.4g} to {:.4g}",
                             largest, smallest));
  return Norm::transformed(Norm::by_name(request.norm).kind(), w);
}

}  // namespace

std::string NormRequest::text() const {
  if (!transform.empty() && has_name(norm))
    return fmt::format("|W x| in the {}, W from {}", Norm::by_name(norm).name(), transform);
  return has_name(norm) ? "" : fmt::format("sqrt(x^T G x), G from {}", norm);
}

Norm norm_from(const NormRequest& request, const Names& components) {
  const bool named = has_name(request.norm);
  if (!named && !request.norm.ends_with(".csv"))
    throw Stop(ExitCode::usage,
               fmt::format("--norm is one of 1, 2, inf, or a file G.csv for sqrt(x^T G x), not '{}'", request.norm));
  if (request.transform.empty())
    return named ? Norm::by_name(request.norm) : inner_product_from(request.norm, components);
  if (!named)
    throw Stop(ExitCode::usage,
               "--transform goes with --norm 1, 2 or inf; choose it or the matrix of an inner product");
  return transformed_from(request, components);
}

std::vector<Option> norm_options(NormRequest& request) {
  return {
      {.name = "--norm",
       .target = &request.norm,
       .value = "NORM",
       .text = "1, 2 (the default) or inf; or a file G.csv with a symmetric positive definite matrix: sqrt(x^T G x)",
       .group = "What",
       .words = [] { return named_norms; },
       .file_endings = {".csv"}},
      {.name = "--transform",
       .target = &request.transform,
       .value = "W.csv",
       .text = "the norm of W x instead of x, W a regular matrix in a file",
       .group = "What",
       .file_endings = {".csv"}}};
}

}  // namespace driftless::cli
