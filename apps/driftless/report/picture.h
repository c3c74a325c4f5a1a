// A picture of curves, for pages.
#pragma once

#include <string>
#include <vector>

#include "apps/driftless/output/json.h"
#include "driftless/core/matrix.h"

namespace driftless::cli {

struct Curve {
  enum class Style { line, points, guide };  // a guide is dashed: what theory says, or a fit

  std::string label;
  Vector x = {}, y = {};  // where an axis is logarithmic, what is not positive is left out
  Style style = Style::line;
  int color = -1;                       // curves with the same number have the same colour; -1: one of its own
  std::vector<std::string> names = {};  // of the points, to be read beside the pointer
  int shape = 0;                        // of the points, where they are in a plane
  bool shown = true;                    // at first; the legend switches
};

struct Picture {
  std::string title, x = "t";
  bool log_x = false, log_y = false;
  std::vector<Curve> curves = {};
  std::string y = {}, note = {};
  bool plane = false;  // points in a plane, joined in their order; else functions of x, which ascends
};

Json picture_json(const Picture& picture);

}  // namespace driftless::cli
