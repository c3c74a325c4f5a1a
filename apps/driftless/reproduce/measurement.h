// Numbers of a paper beside what is measured, and what that says about the paper.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/driftless/output/json.h"
#include "apps/driftless/report/picture.h"
#include "driftless/core/matrix.h"

namespace reproduce {

using driftless::Vector;
using driftless::cli::Curve;
using driftless::cli::Picture;

enum class Finding {
  reproduced,  // measured where it should be
  refuted,     // measured where it should be, and that contradicts the paper
  off,         // measured elsewhere, or not at all
};
std::string_view name_of(Finding finding);

struct Band {
  double low = 0.0, high = 0.0;
  bool contains(double x) const { return low <= x && x <= high; }
  bool is_finite() const;  // an end that is infinite, or not a number, limits nothing
};

// One number. Its band has two ends: a bound that is never exceeded because it is infinite says nothing.
struct Line {
  std::string id;     // within the item, for --expect
  std::string what;   // for people
  std::string paper;  // what the paper says
  double measured = 0.0, low = 0.0, high = 0.0;
  std::optional<Band> claim = {};  // where the paper wants it, if it is measured elsewhere

  Band band() const { return {low, high}; }
  Finding finding() const;
  bool ok() const { return finding() != Finding::off; }
};

// A quotient of what is measured and its bound, which is at most `factor` times too large; rounding is in the
// measurement already.
Line below_bound(std::string id, std::string what, double quotient, double factor, std::string paper);

constexpr double order_slack = 0.3;  // of orders that are measured at finite step sizes

// An order of convergence: the one that was found when this was written, which is no less than what the paper promises.
Line order_line(std::string id, std::string what, int promised, double recorded, double measured);

struct Measurement {
  std::vector<Line> lines = {};
  std::vector<Picture> pictures = {};
  std::string details = {};             // a table for people
  driftless::cli::Json data = nullptr;  // the numbers behind it, for programs

  // Off if one line is, or if there is none; refuted if one line contradicts the paper.
  Finding finding() const;
};

}  // namespace reproduce
