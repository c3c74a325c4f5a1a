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

Number operator-(Number a) { return compute(Op::negate, a); }
Number operator+(Number a, Number b) { return compute(Op::add, a, b); }
Number operator-(Number a, Number b) { return compute(Op::subtract, a, b); }
Number operator*(Number a, Number b) { return compute(Op::multiply, a, b); }
Number operator/(Number a, Number b) { return compute(Op::divide, a, b); }
Number abs(Number a) { return compute(Op::abs, a); }
Number sqrt(Number a) { return compute(Op::sqrt, a); }
Number max(Number a, Number b) { return compute(Op::select, compute(Op::less, a, b), b, a); }

bool operator<(Number a, Number b) { return decide(Op::less, a, b); }
bool operator<=(Number a, Number b) { return decide(Op::less_equal, a, b); }
bool operator==(Number a, Number b) { return decide(Op::equal, a, b); }
bool isfinite(Number a) { return abs(a) <= std::numeric_limits<double>::max(); }
bool isnormal(Number a) { return isfinite(a) && abs(a) >= std::numeric_limits<double>::min(); }
bool isnan(Number a) { return decide(Op::not_equal, a, a); }

}  // namespace driftless
