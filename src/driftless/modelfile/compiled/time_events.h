// Relations of time and of what events hold: known functions of time, so the moments at which they change are found in
// advance, whatever the steps are.
#pragma once

#include "driftless/expression/enclosure.h"
#include "driftless/modelfile/compiled/formula_book.h"
#include "driftless/modelfile/compiled/held_layout.h"
#include "driftless/modelfile/compiled/time_searches.h"
#include "driftless/modelfile/structure/form_plan.h"

namespace driftless {

class TimeEvents {
 public:
  // The roots of all relations, with eliminated variables replaced.
  TimeEvents(const Reduction& reduction, const HeldLayout& held, const std::vector<Expr>& roots);

  // Whether the relation of this number depends on time and held values alone.
  bool has(std::size_t relation) const { return place_[relation] != HeldLayout::none; }

  struct Due {
    double time = 0.0;
    std::vector<std::size_t> relations;  // that change there
  };
  // The first change from t on, at `until` at the latest (which may be before t). No change between is overlooked:
  // intervals without a root are known by interval arithmetic, or are small parts of [t, until] where it cannot tell.
  std::optional<Due> next(double t, double until, const HeldValues& held, TimeSearches& searches) const;

 private:
  struct Watched {
    std::size_t relation;
    std::size_t flag;  // its place among what is held
    bool holds_if_negative, at_zero;
    std::vector<std::size_t> reads;  // places of what it depends on among what is held, its own included
    Program root;
    Enclosure root_and_slope;
  };
  class Search;
  std::optional<double> first_change(const Watched& watched, double t, double nearest, double until,
                                     const HeldValues& held, TimeSearches& searches) const;

  std::uint32_t held_ = 0;  // where held values begin among the inputs
  std::size_t inputs_ = 0;
  std::vector<Watched> watched_;
  std::vector<std::size_t> place_;  // by relation
};

}  // namespace driftless
