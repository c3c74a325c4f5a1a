// A table, a figure or a theorem of a paper: what it says, beside what is measured.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/driftless/json.h"
#include "apps/driftless/report/picture.h"
#include "driftless/core/matrix.h"

namespace reproduce {

using driftless::Vector;
using driftless::cli::Curve;
using driftless::cli::Picture;

// One number. It is reproduced if it lies in the band, which is narrower than the paper's claim where it is a count.
struct Line {
  std::string id;     // within the item, for --expect
  std::string what;   // for people
  std::string paper;  // what the paper says
  double measured = 0.0, low = 0.0, high = 0.0;
  bool ok() const { return low <= measured && measured <= high; }
};

// A quotient of what is measured and its bound; rounding is in the measurement already.
Line at_most_one(std::string id, std::string what, double quotient, const char* paper);

struct Measurement {
  std::vector<Line> lines = {};
  std::vector<Picture> pictures = {};
  std::string details = {};             // a table for people
  driftless::cli::Json data = nullptr;  // the numbers behind it, for programs
  bool ok() const;
};

struct Item {
  std::string_view name, title, source;
  Measurement (*measure)();
  std::string (*text)() = nullptr;  // a longer table for people
  std::string (*csv)() = nullptr;   // the data of a picture
};

const std::vector<Item>& items();
const Item* find_item(std::string_view name);  // null if there is none

// Schropp 2003
Measurement table1();
Measurement table2();
Measurement figure1();
Measurement figure2();
Measurement figure3();
Measurement figure4();
Measurement figure5();
Measurement orders_index3();
Measurement projection_multipliers();
Measurement multiplier_near_hidden();
Measurement local_errors();
Measurement stage_distances();
Measurement improved_order();
// Schropp 2001, and attracting sets
Measurement invariant_manifold();
Measurement attracting_sets();
Measurement time_as_unknown();
Measurement embedded_starts();
// Higueras and Soderlind 2003
Measurement norm_properties();
Measurement inequalities();
Measurement euler_inequality();
Measurement euler_uniqueness();
Measurement constants();
Measurement deviations();
Measurement errors();
Measurement runs();
Measurement index_loss();
Measurement contraction();

}  // namespace reproduce
