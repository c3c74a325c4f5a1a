#include "driftless/tableau/tableau.h"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <utility>

#include "driftless/core/failure.h"

namespace driftless {
namespace {

void require_finite(const std::string& name, const char* what, std::span<const double> values) {
  for (const double value : values) {
    if (!std::isfinite(value)) throw Misuse(fmt::format("tableau '{}': {} contains {}", name, what, value));
  }
}

void require_length(const std::string& name, const char* what, std::size_t length, std::size_t stages) {
  if (length == stages) return;
  throw Misuse(fmt::format("tableau '{}': {} has {} entries, but A is {} x {}: one entry per stage is needed", name,
                           what, length, stages, stages));
}

Vector row_sums(const Matrix& a) {
  Vector sums(a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    long double sum = 0.0L;
    for (std::size_t j = 0; j < a.cols(); ++j) sum += a(i, j);
    sums[i] = static_cast<double>(sum);
  }
  return sums;
}

}  // namespace

std::string title_of(const Tableau& tableau) {
  if (!tableau.title.empty()) return tableau.title;
  return tableau.name.empty() ? "this method" : tableau.name;
}

Tableau from_numbers(std::string name, Matrix a, Vector b, Vector c) {
  if (a.rows() == 0) throw Misuse(fmt::format("tableau '{}': A is empty; a method needs at least one stage", name));
  if (a.rows() != a.cols()) {
    throw Misuse(fmt::format("tableau '{}': A is {} x {}, but it must be square", name, a.rows(), a.cols()));
  }
  require_length(name, "b", b.size(), a.rows());
  require_finite(name, "A", {a.data(), a.rows() * a.cols()});
  require_finite(name, "b", b);
  if (c.empty()) c = row_sums(a);
  require_length(name, "c", c.size(), a.rows());
  require_finite(name, "c", c);
  return {.name = std::move(name),
          .citation = "given by its numbers",
          .a = std::move(a),
          .b = std::move(b),
          .c = std::move(c)};
}

}  // namespace driftless
