// What each operation means, for one set of numbers. Folding, evaluation and both engines agree on this.
#pragma once

#include <cmath>

#include "driftless/expression/graph.h"

namespace driftless {

// In this order of comparisons, so that machine code gives the same sign of zero; a NaN on either side stays a NaN.
inline double smaller_of(double a, double b) { return std::isnan(a) ? a : a < b ? a : b; }
inline double larger_of(double a, double b) { return std::isnan(a) ? a : a > b ? a : b; }
inline double sign_of(double a) { return static_cast<double>(a > 0.0) - static_cast<double>(a < 0.0); }

inline double compute(Op op, double a, double b = 0.0, double c = 0.0) {
  switch (op) {
    case Op::constant:
    case Op::input: return a;
    case Op::negate: return -a;
    case Op::abs: return std::abs(a);
    case Op::sign: return sign_of(a);
    case Op::sqrt: return std::sqrt(a);
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::log10: return std::log10(a);
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::floor: return std::floor(a);
    case Op::ceil: return std::ceil(a);
    case Op::logical_not: return a == 0.0;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return std::pow(a, b);
    case Op::atan2: return std::atan2(a, b);
    case Op::min: return smaller_of(a, b);
    case Op::max: return larger_of(a, b);
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::equal: return a == b;
    case Op::not_equal: return a != b;
    case Op::logical_and: return a != 0.0 && b != 0.0;
    case Op::logical_or: return a != 0.0 || b != 0.0;
    case Op::select: return a != 0.0 ? b : c;
  }
  return a;
}

// Whether the value can only be 0 or 1.
inline bool is_boolean(Op op) { return op == Op::logical_not || (op >= Op::less && op <= Op::logical_or); }

inline bool is_commutative(Op op) {
  switch (op) {
    case Op::add:
    case Op::multiply:
    case Op::min:
    case Op::max:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or: return true;
    default: return false;
  }
}

}  // namespace driftless
