#include "driftless/integrate/solution.h"

namespace driftless {

Solution::Solution(Equations equations, ConsistentStart start)
    : equations_(std::move(equations)), start_(std::move(start)), width_(layout_of(equations_).size()) {}

const Solution& Solution::or_throw() const {
  if (failure_) throw FailedRun(*failure_);
  return *this;
}

ConstSpan Solution::block(std::string_view symbol, std::size_t i) const {
  return layout_of(equations_).block(symbol).of(state(i));
}

double Solution::value(std::string_view name, std::size_t i) const { return state(i)[layout_of(equations_).find(name)]; }

ConstraintResiduals Solution::residuals(std::size_t i) const { return constraint_residuals(equations_, time(i), state(i)); }

void Solution::append(double t, ConstSpan state) {
  times_.push_back(t);
  states_.insert(states_.end(), state.begin(), state.end());
}

}  // namespace driftless
