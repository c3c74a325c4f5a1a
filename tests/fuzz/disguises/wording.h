// Variables and equations of a model, and how they are written down: in another order, scaled, turned around, with
// other names for the same thing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../answers/random.h"

namespace driftless::fuzz {

class Wording {
 public:
  void declare(const std::string& name, std::optional<double> start = {}, bool fixed = false);
  void equate(const std::string& left, const std::string& right) { equations_.push_back({left, right}); }
  void begin_with(const std::string& left, const std::string& right) { initial_.push_back({left, right}); }
  void rename_some(Random& random, int count);  // x_1 = -3*x: some equations have the one, some the other
  void scale_and_turn(Random& random);
  void shuffle(Random& random);
  std::string text() const;

 private:
  struct Variable {
    std::string name, attributes;
  };
  struct Equation {
    std::string left, right;
  };
  std::vector<Variable> variables_;
  std::vector<Equation> equations_, initial_;
};

}  // namespace driftless::fuzz
