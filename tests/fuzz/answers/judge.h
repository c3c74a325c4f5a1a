// Runs the program on a model and compares every unknown with its solution.
#pragma once

#include <string>

#include "model.h"

namespace driftless::fuzz {

struct Verdict {
  enum class Kind { right, wrong, refused } kind = Kind::right;
  std::string message;  // what is wrong, or why it was refused
  double worst = 0.0;   // the largest error in tolerances
  bool wrong() const { return kind == Kind::wrong; }
};

// Errors of so many tolerances are wrong: what was generated is well conditioned, so fewer than a hundred are usual.
inline constexpr double allowed_tolerances = 1e3;

// With default options, or with a relative tolerance of your own and what follows from it.
class Judge {
 public:
  Judge(std::string program, std::string folder) : program_(std::move(program)), folder_(std::move(folder)) {}
  Verdict judge(const Model& model, const std::string& text, double rtol = 1e-6) const;

 private:
  std::string program_, folder_;
};

}  // namespace driftless::fuzz
