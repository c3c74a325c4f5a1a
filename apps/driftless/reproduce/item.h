// A table, a figure or a theorem of a paper: what it says, beside what is measured.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/driftless/reproduce/measurement.h"

namespace reproduce {

struct Item {
  std::string_view name, title, source;
  Measurement (*measure)();
  std::string (*text)() = nullptr;  // a longer table for people
  std::string (*csv)() = nullptr;   // the data of a picture
  Finding expected = Finding::reproduced;
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
