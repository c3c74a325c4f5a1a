#include "driftless/expression/number.h"

#include <limits>

#include "driftless/expression/operations.h"
#include "driftless/expression/parameter_trace.h"

namespace driftless {

namespace {

bool decide(Op op, Number a, Number b) {
  const bool holds = compute(op, a.at_compilation(), b.at_compilation()) != 0.0;
  if (a.depends() || b.depends()) {
    ParameterTrace& trace = active_trace();
    if (trace.varies(a) || trace.varies(b)) trace.guard(trace.node(op, a, b));
  }
  return holds;
}

// Most numbers depend on nothing: one operation then, without a question which.
template <Op op>
Number result(Number a, Number b = {}) {
  if (!a.depends() && !b.depends()) return compute(op, a.at_compilation(), b.at_compilation());
  return compute(op, a, b);
}
template <Op op>
bool holds(Number a, Number b) {
  if (!a.depends() && !b.depends()) return compute(op, a.at_compilation(), b.at_compilation()) != 0.0;
  return decide(op, a, b);
}

}  // namespace

Number compute(Op op, Number a, Number b, Number c) {
  const double value = compute(op, a.at_compilation(), b.at_compilation(), c.at_compilation());
  if (!a.depends() && !b.depends() && !c.depends()) return value;
  ParameterTrace& trace = active_trace();
  if (!trace.varies(a) && !trace.varies(b) && !trace.varies(c)) return value;
  return Number::traced(value, trace.node(op, a, b, c));
}

double Number::pinned() const {
  if (depends()) active_trace().guard(origin_);
  return value_;
}

Number operator-(Number a) { return result<Op::negate>(a); }
Number operator+(Number a, Number b) { return result<Op::add>(a, b); }
Number operator-(Number a, Number b) { return result<Op::subtract>(a, b); }
Number operator*(Number a, Number b) { return result<Op::multiply>(a, b); }
Number operator/(Number a, Number b) { return result<Op::divide>(a, b); }
Number abs(Number a) { return result<Op::abs>(a); }
Number sqrt(Number a) { return result<Op::sqrt>(a); }
Number max(Number a, Number b) {
  if (!a.depends() && !b.depends()) return a.at_compilation() < b.at_compilation() ? b : a;
  return compute(Op::select, compute(Op::less, a, b), b, a);
}

bool operator<(Number a, Number b) { return holds<Op::less>(a, b); }
bool operator<=(Number a, Number b) { return holds<Op::less_equal>(a, b); }
bool operator==(Number a, Number b) { return holds<Op::equal>(a, b); }
bool isfinite(Number a) { return abs(a) <= std::numeric_limits<double>::max(); }
bool isnormal(Number a) { return isfinite(a) && abs(a) >= std::numeric_limits<double>::min(); }
bool isnan(Number a) { return holds<Op::not_equal>(a, a); }

}  // namespace driftless
