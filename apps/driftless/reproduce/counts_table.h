// Tables 1 and 2: the paper's counts beside ours.
#pragma once

#include <string>

#include "apps/driftless/reproduce/run.h"

namespace reproduce {

struct TableRow {
  PaperRow paper;
  Outcome without, with;  // classic
  Outcome standard;       // Radau with its default options
};

struct Table {
  const Experiment& experiment;
  std::vector<TableRow> rows;
};

Table compute_table(const Experiment& experiment);
std::string as_text(const Table& table);
std::string as_json(const Table& table);

}  // namespace reproduce
