#include "driftless/expression/enclosure.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "driftless/core/infinity.h"
#include "driftless/core/scratch.h"
#include "driftless/expression/operations.h"

namespace driftless {

namespace {

Interval around(double x) { return {std::nextafter(x, -infinity), std::nextafter(x, infinity)}; }

// For functions that are constant between jumps.
template <class F>
Interval step_function(const Interval& x, F f) {
  if (f(x.lower()) != f(x.upper())) throw UndecidedComparison();
  return Interval(f(x.lower()));
}

Interval sign(const Interval& x) {
  return step_function(x, [](double value) { return sign_of(value); });
}

bool is_true(const Interval& condition) {
  if (condition.is_point()) return condition.lower() != 0.0;
  if (condition.contains(0.0)) throw UndecidedComparison();
  return true;
}

Interval power(const Interval& x, const Interval& p) {
  if (p.is_point()) return pow(x, p.lower());
  return x.lower() > 0.0 ? exp(p * log(x)) : Interval::whole();
}

Interval angle_of(const Interval& y, const Interval& x) {
  if (x.lower() > 0.0) return atan(y / x);
  const Interval quarter = around(0.5 * std::numbers::pi);
  if (y.lower() > 0.0) return quarter - atan(x / y);
  if (y.upper() < 0.0) return -quarter - atan(x / y);
  throw UndecidedComparison();  // the cut, or the origin
}

Interval function(Op op, const Interval& a) {
  switch (op) {
    case Op::negate: return -a;
    case Op::abs: return abs(a);
    case Op::sign: return sign(a);
    case Op::sqrt: return sqrt(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::log10: return log(a) / around(std::numbers::ln10);
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return tan(a);
    case Op::asin: return asin(a);
    case Op::acos: return acos(a);
    case Op::atan: return atan(a);
    case Op::sinh: return sinh(a);
    case Op::cosh: return cosh(a);
    case Op::tanh: return tanh(a);
    case Op::floor: return step_function(a, [](double value) { return std::floor(value); });
    case Op::ceil: return step_function(a, [](double value) { return std::ceil(value); });
    case Op::logical_not: return is_true(a) ? 0.0 : 1.0;
    default: return Interval::whole();
  }
}

Interval combine(Op op, const Interval& a, const Interval& b) {
  const auto truth = [](bool value) { return Interval(value ? 1.0 : 0.0); };
  switch (op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return power(a, b);
    case Op::atan2: return angle_of(a, b);
    case Op::min: return min(a, b);
    case Op::max: return max(a, b);
    case Op::less: return truth(a < b);
    case Op::less_equal: return truth(a <= b);
    case Op::equal: return truth(a == b);
    case Op::not_equal: return truth(!(a == b));
    case Op::logical_and: return truth(is_true(a) && is_true(b));
    case Op::logical_or: return truth(is_true(a) || is_true(b));
    default: return Interval::whole();
  }
}

}  // namespace

std::size_t Enclosure::version_of(const Graph& graph) { return graph.trace() ? graph.trace()->version() : 0; }

void Enclosure::run(const Interval* inputs, Interval* outputs, const ParameterValues* parameters) const {
  Scratch scratch;
  const auto values = scratch.take<Interval>(tape_.values + 1);
  std::size_t next = 0;
  for (const std::uint32_t slot : tape_.slots) values[next++] = inputs[slot];
  const std::size_t first = next;
  for (const double constant : tape_.constants) values[next++] = Interval(constant);
  const double* const table = version_ > 0 ? parameters->table(version_) : nullptr;
  for (const Tape::Parameter& one : tape_.parameters) values[first + one.constant] = Interval(table[one.place]);
  for (const Tape::Step& step : tape_.steps) {
    const Interval a = values[step.operand[0]];
    Interval& result = values[step.result];
    if (step.op == Op::select)
      result = values[step.operand[is_true(a) ? 1 : 2]];
    else if (step.operands() == 1)
      result = function(step.op, a);
    else if (step.op == Op::multiply && step.operand[0] == step.operand[1])
      result = square(a);  // which a * a does not know to be positive
    else
      result = combine(step.op, a, values[step.operand[1]]);
    if (step.with_cosine) values[step.result + 1] = cos(a);
  }
  for (const std::uint32_t value : tape_.outputs) *outputs++ = values[value];
}

}  // namespace driftless
