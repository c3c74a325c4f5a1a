// A model as data, and its texts: the same mathematics in other words.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "../answers/random.h"

namespace driftless::fuzz {

// Names in expressions stand between '@': @x0@, @p1@.
struct SourceModel {
  struct Value {
    std::string name;
    double value;
  };
  std::vector<Value> parameters, states;  // with values and starts
  std::vector<std::string> computed;      // Real variables that an equation gives
  std::vector<std::string> counters;      // Integer variables, from 0 on
  std::vector<std::string> equations;     // one for each state and computed variable
  std::vector<std::string> whens;
};

SourceModel random_model(Random& random);

// A text, and what each variable of the source is called in its results.
struct Rendering {
  std::string kind, text;
  std::map<std::string, std::string> names;
};

std::vector<Rendering> renderings(const SourceModel& model, Random& random);

}  // namespace driftless::fuzz
