// Elementary functions of derivative types. Each is one struct that states f, f', f''; Dual uses the first two.
#pragma once

#include <cmath>
#include <utility>

#include "driftless/autodiff/dual.h"

namespace driftless {

template <class T>
struct Jet {
  T f, df, ddf;
};

// x x; number types in which that is not the same as a square have one of their own.
inline double square(double x) { return x * x; }
template <DerivativeType X>
X square(const X& x) {
  return x * x;
}

namespace elementary {

using std::acos, std::asin, std::atan, std::cos, std::cosh, std::exp, std::log, std::sin, std::sinh, std::sqrt,
    std::tan, std::tanh, std::pow;

struct Sin {
  template <class T>
  static Jet<T> at(const T& x) {
    const T s = sin(x);
    return {s, cos(x), -s};
  }
};
struct Cos {
  template <class T>
  static Jet<T> at(const T& x) {
    const T c = cos(x);
    return {c, -sin(x), -c};
  }
};
struct Tan {
  template <class T>
  static Jet<T> at(const T& x) {
    const T t = tan(x);
    const T d = 1.0 + square(t);
    return {t, d, 2.0 * t * d};
  }
};
struct Asin {
  template <class T>
  static Jet<T> at(const T& x) {
    const T d = 1.0 / sqrt(1.0 - square(x));
    return {asin(x), d, x * d * d * d};
  }
};
struct Acos {
  template <class T>
  static Jet<T> at(const T& x) {
    const T d = 1.0 / sqrt(1.0 - square(x));
    return {acos(x), -d, -x * d * d * d};
  }
};
struct Atan {
  template <class T>
  static Jet<T> at(const T& x) {
    const T d = 1.0 / (1.0 + square(x));
    return {atan(x), d, -2.0 * x * d * d};
  }
};
struct Sinh {
  template <class T>
  static Jet<T> at(const T& x) {
    const T s = sinh(x);
    return {s, cosh(x), s};
  }
};
struct Cosh {
  template <class T>
  static Jet<T> at(const T& x) {
    const T c = cosh(x);
    return {c, sinh(x), c};
  }
};
struct Tanh {
  template <class T>
  static Jet<T> at(const T& x) {
    const T t = tanh(x);
    const T d = 1.0 - square(t);
    return {t, d, -2.0 * t * d};
  }
};
struct Exp {
  template <class T>
  static Jet<T> at(const T& x) {
    const T e = exp(x);
    return {e, e, e};
  }
};
struct Log {
  template <class T>
  static Jet<T> at(const T& x) {
    const T d = 1.0 / x;
    return {log(x), d, -d * d};
  }
};
struct Sqrt {
  template <class T>
  static Jet<T> at(const T& x) {
    const T r = sqrt(x);
    const T d = 0.5 / r;
    return {r, d, -0.5 * d / x};
  }
};
// x^p for a constant exponent: well defined at x <= 0 where x^p is, as exp(p log x) is not.
template <class T>
Jet<T> power(const T& x, double p) {
  const T zero(0.0);
  return {pow(x, p), p == 0.0 ? zero : p * pow(x, p - 1.0),
          p == 0.0 || p == 1.0 ? zero : p * (p - 1.0) * pow(x, p - 2.0)};
}

template <class T, int W>
Dual<T, W> chain(const Jet<T>& jet, const Dual<T, W>& x) {
  Dual<T, W> y(jet.f, x.d);
  y.d *= jet.df;
  return y;
}
// f(x)'' = f' x'' + f'' x'^2
template <class T>
Taylor<T> chain(const Jet<T>& jet, const Taylor<T>& x) {
  return {jet.f, jet.df * x.first, jet.df * x.second + jet.ddf * x.first * x.first};
}

template <int W>
GradientTaylor<W> chain(const Jet<double>& jet, const GradientTaylor<W>& x) {
  GradientTaylor<W> y(jet.f, jet.df * x.first, jet.df * x.second + jet.ddf * x.first * x.first, x.d);
  y.d *= jet.df;
  return y;
}

template <class F, class X>
X apply(const X& x) {
  return chain(F::at(x.value), x);
}

}  // namespace elementary

template <DerivativeType X>
X sin(const X& x) {
  return elementary::apply<elementary::Sin>(x);
}
template <DerivativeType X>
X cos(const X& x) {
  return elementary::apply<elementary::Cos>(x);
}
// Both at the price of one.
inline std::pair<double, double> sin_cos(double x) { return {std::sin(x), std::cos(x)}; }
template <DerivativeType X>
std::pair<X, X> sin_cos(const X& x) {
  const auto [s, c] = sin_cos(x.value);
  return {elementary::chain({s, c, -s}, x), elementary::chain({c, -s, -c}, x)};
}
template <DerivativeType X>
X tan(const X& x) {
  return elementary::apply<elementary::Tan>(x);
}
template <DerivativeType X>
X asin(const X& x) {
  return elementary::apply<elementary::Asin>(x);
}
template <DerivativeType X>
X acos(const X& x) {
  return elementary::apply<elementary::Acos>(x);
}
template <DerivativeType X>
X atan(const X& x) {
  return elementary::apply<elementary::Atan>(x);
}
template <DerivativeType X>
X sinh(const X& x) {
  return elementary::apply<elementary::Sinh>(x);
}
template <DerivativeType X>
X cosh(const X& x) {
  return elementary::apply<elementary::Cosh>(x);
}
template <DerivativeType X>
X tanh(const X& x) {
  return elementary::apply<elementary::Tanh>(x);
}
template <DerivativeType X>
X exp(const X& x) {
  return elementary::apply<elementary::Exp>(x);
}
template <DerivativeType X>
X log(const X& x) {
  return elementary::apply<elementary::Log>(x);
}
template <DerivativeType X>
X log10(const X& x) {
  return log(x) / std::log(10.0);
}
template <DerivativeType X>
X sqrt(const X& x) {
  return elementary::apply<elementary::Sqrt>(x);
}
template <DerivativeType X, PlainNumber S>
X pow(const X& x, S p) {
  return elementary::chain(elementary::power(x.value, static_cast<double>(p)), x);
}
// x^p with both varying. A constant exponent, even of the derivative type, is no case for exp(p log x), which has no
// derivatives at x <= 0.
template <DerivativeType X>
X pow(const X& x, const X& p) {
  if (is_constant(p)) return pow(x, value_of(p));
  return exp(p * log(x));
}
template <DerivativeType X, PlainNumber S>
X pow(S base, const X& p) {
  const double x = static_cast<double>(base);
  if (x == 0.0 || is_constant(p)) return X(std::pow(x, value_of(p)));
  return exp(p * std::log(x));
}
template <DerivativeType X>
X abs(const X& x) {
  return value_of(x) < 0.0 ? -x : x;
}
template <DerivativeType X>
X fabs(const X& x) {
  return abs(x);
}
template <DerivativeType X>
X hypot(const X& x, const X& y) {
  return sqrt(square(x) + square(y));
}
template <DerivativeType X>
X min(const X& x, const X& y) {
  return value_of(y) < value_of(x) ? y : x;
}
template <DerivativeType X>
X max(const X& x, const X& y) {
  return value_of(x) < value_of(y) ? y : x;
}
// The branch is a constant, so its derivative is that of atan(y/x) or -atan(x/y), whichever is well scaled.
template <DerivativeType X>
X atan2(const X& y, const X& x) {
  const double angle = std::atan2(value_of(y), value_of(x));
  const bool flat = std::abs(value_of(x)) >= std::abs(value_of(y));
  const X principal = flat ? atan(y / x) : -atan(x / y);
  return principal + (angle - value_of(principal));
}

// With a plain number on one side, as formulas write them: max(x, 0.0), atan2(y, 1).
template <DerivativeType X, PlainNumber S>
X hypot(const X& x, S y) {
  return hypot(x, X(y));
}
template <DerivativeType X, PlainNumber S>
X hypot(S x, const X& y) {
  return hypot(X(x), y);
}
template <DerivativeType X, PlainNumber S>
X min(const X& x, S y) {
  return min(x, X(y));
}
template <DerivativeType X, PlainNumber S>
X min(S x, const X& y) {
  return min(X(x), y);
}
template <DerivativeType X, PlainNumber S>
X max(const X& x, S y) {
  return max(x, X(y));
}
template <DerivativeType X, PlainNumber S>
X max(S x, const X& y) {
  return max(X(x), y);
}
template <DerivativeType X, PlainNumber S>
X atan2(const X& y, S x) {
  return atan2(y, X(x));
}
template <DerivativeType X, PlainNumber S>
X atan2(S y, const X& x) {
  return atan2(X(y), x);
}

}  // namespace driftless

// So that a formula may say std::sin(x): a qualified name finds nothing by the type of its argument. The standard keeps
// this namespace to itself, but its compilers take overloads for types of one's own.
namespace std {
using driftless::abs, driftless::acos, driftless::asin, driftless::atan, driftless::atan2, driftless::cos,
    driftless::cosh, driftless::exp, driftless::fabs, driftless::hypot, driftless::log, driftless::log10,
    driftless::pow, driftless::sin, driftless::sinh, driftless::sqrt, driftless::tan, driftless::tanh;
}  // namespace std
