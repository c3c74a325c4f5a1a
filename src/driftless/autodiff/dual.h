// Forward derivatives: Dual<T, W> carries a value and W directional derivatives; Taylor<T> carries the first and second
// derivative along one curve. Both nest, so that derivatives of derivatives need no further code. GradientTaylor<W> is
// both at once, side by side: W partial derivatives of the value, and the value along one curve.
#pragma once

#include <type_traits>

#include "driftless/autodiff/lanes.h"

namespace driftless {

template <class S>
concept PlainNumber = std::is_arithmetic_v<S>;

template <class T, int W>
struct Dual {
  using Inner = T;
  T value{};
  Lanes<T, W> d{};

  Dual() = default;
  template <PlainNumber S>
  Dual(S x) : value(static_cast<double>(x)) {}
  Dual(const T& x) requires(!std::is_arithmetic_v<T>) : value(x) {}
  Dual(const T& x, const Lanes<T, W>& lanes) : value(x), d(lanes) {}

  Dual& operator+=(const Dual& o) {
    value += o.value;
    d += o.d;
    return *this;
  }
  Dual& operator-=(const Dual& o) {
    value -= o.value;
    d -= o.d;
    return *this;
  }
  Dual& operator*=(const Dual& o) {
    Lanes<T, W> other = o.d;
    other *= value;
    d *= o.value;
    d += other;
    value *= o.value;
    return *this;
  }
  Dual& operator/=(const Dual& o) {
    const T inverse = T(1.0) / o.value;
    value *= inverse;
    Lanes<T, W> other = o.d;
    other *= value;
    d -= other;
    d *= inverse;
    return *this;
  }
  template <PlainNumber S>
  Dual& operator+=(S s) {
    value += static_cast<double>(s);
    return *this;
  }
  template <PlainNumber S>
  Dual& operator-=(S s) {
    value -= static_cast<double>(s);
    return *this;
  }
  template <PlainNumber S>
  Dual& operator*=(S s) {
    value *= static_cast<double>(s);
    d.scale(static_cast<double>(s));
    return *this;
  }
  template <PlainNumber S>
  Dual& operator/=(S s) {
    divide_by(value, static_cast<double>(s));
    d.divide(static_cast<double>(s));
    return *this;
  }
};

template <class T>
struct Taylor {
  using Inner = T;
  T value{};
  T first{};   // d/ds at s = 0
  T second{};  // d^2/ds^2 at s = 0

  Taylor() = default;
  template <PlainNumber S>
  Taylor(S x) : value(static_cast<double>(x)) {}
  Taylor(const T& x) requires(!std::is_arithmetic_v<T>) : value(x) {}
  Taylor(const T& x, const T& dx, const T& ddx) : value(x), first(dx), second(ddx) {}

  Taylor& operator+=(const Taylor& o) {
    value += o.value;
    first += o.first;
    second += o.second;
    return *this;
  }
  Taylor& operator-=(const Taylor& o) {
    value -= o.value;
    first -= o.first;
    second -= o.second;
    return *this;
  }
  // (x y)'' = x'' y + 2 x' y' + x y''
  Taylor& operator*=(const Taylor& o) {
    second = second * o.value + 2.0 * first * o.first + value * o.second;
    first = first * o.value + value * o.first;
    value *= o.value;
    return *this;
  }
  // w = x / y from x = w y, solved order by order
  Taylor& operator/=(const Taylor& o) {
    const T inverse = T(1.0) / o.value;
    value *= inverse;
    first = (first - value * o.first) * inverse;
    second = (second - 2.0 * first * o.first - value * o.second) * inverse;
    return *this;
  }
  template <PlainNumber S>
  Taylor& operator+=(S s) {
    value += static_cast<double>(s);
    return *this;
  }
  template <PlainNumber S>
  Taylor& operator-=(S s) {
    value -= static_cast<double>(s);
    return *this;
  }
  template <PlainNumber S>
  Taylor& operator*=(S s) {
    value *= static_cast<double>(s);
    first *= static_cast<double>(s);
    second *= static_cast<double>(s);
    return *this;
  }
  template <PlainNumber S>
  Taylor& operator/=(S s) {
    return *this *= 1.0 / static_cast<double>(s);
  }
};

template <int W>
struct GradientTaylor {
  using Inner = double;
  double value = 0.0;
  double first = 0.0, second = 0.0;
  Lanes<double, W> d{};

  GradientTaylor() = default;
  template <PlainNumber S>
  GradientTaylor(S x) : value(static_cast<double>(x)) {}
  GradientTaylor(double x, double dx, double ddx, const Lanes<double, W>& lanes)
      : value(x), first(dx), second(ddx), d(lanes) {}

  GradientTaylor& operator+=(const GradientTaylor& o) {
    value += o.value;
    first += o.first;
    second += o.second;
    d += o.d;
    return *this;
  }
  GradientTaylor& operator-=(const GradientTaylor& o) {
    value -= o.value;
    first -= o.first;
    second -= o.second;
    d -= o.d;
    return *this;
  }
  GradientTaylor& operator*=(const GradientTaylor& o) {
    Lanes<double, W> other = o.d;
    other *= value;
    d *= o.value;
    d += other;
    second = second * o.value + 2.0 * first * o.first + value * o.second;
    first = first * o.value + value * o.first;
    value *= o.value;
    return *this;
  }
  GradientTaylor& operator/=(const GradientTaylor& o) {
    const double inverse = 1.0 / o.value;
    value *= inverse;
    Lanes<double, W> other = o.d;
    other *= value;
    d -= other;
    d *= inverse;
    first = (first - value * o.first) * inverse;
    second = (second - 2.0 * first * o.first - value * o.second) * inverse;
    return *this;
  }
  template <PlainNumber S>
  GradientTaylor& operator+=(S s) {
    value += static_cast<double>(s);
    return *this;
  }
  template <PlainNumber S>
  GradientTaylor& operator-=(S s) {
    value -= static_cast<double>(s);
    return *this;
  }
  template <PlainNumber S>
  GradientTaylor& operator*=(S s) {
    const double factor = static_cast<double>(s);
    value *= factor;
    first *= factor;
    second *= factor;
    d *= factor;
    return *this;
  }
  template <PlainNumber S>
  GradientTaylor& operator/=(S s) {
    return *this *= 1.0 / static_cast<double>(s);
  }
};

template <class X>
inline constexpr bool is_derivative_type = false;
template <class T, int W>
inline constexpr bool is_derivative_type<Dual<T, W>> = true;
template <class T>
inline constexpr bool is_derivative_type<Taylor<T>> = true;
template <int W>
inline constexpr bool is_derivative_type<GradientTaylor<W>> = true;

template <class X>
concept DerivativeType = is_derivative_type<X>;

// The plain number inside, however deep the nesting.
inline double value_of(double x) { return x; }
template <DerivativeType X>
double value_of(const X& x) {
  return value_of(x.value);
}

// Whether all derivatives are zero, at every level of the nesting.
inline bool is_constant(double) { return true; }
template <class T, int W>
bool is_constant(const Dual<T, W>& x) {
  bool constant = is_constant(x.value);
  for (int i = 0; i < W && constant; ++i) constant = x.d.get(i) == 0.0 && is_constant(x.d.get(i));
  return constant;
}
template <class T>
bool is_constant(const Taylor<T>& x) {
  return x.first == 0.0 && x.second == 0.0 && is_constant(x.value) && is_constant(x.first) && is_constant(x.second);
}
template <int W>
bool is_constant(const GradientTaylor<W>& x) {
  bool constant = x.first == 0.0 && x.second == 0.0;
  for (int i = 0; i < W && constant; ++i) constant = x.d.get(i) == 0.0;
  return constant;
}

template <DerivativeType X>
X operator+(X x, const X& y) {
  return x += y;
}
template <DerivativeType X>
X operator-(X x, const X& y) {
  return x -= y;
}
template <DerivativeType X>
X operator*(X x, const X& y) {
  return x *= y;
}
template <DerivativeType X>
X operator/(X x, const X& y) {
  return x /= y;
}
template <DerivativeType X, PlainNumber S>
X operator+(X x, S s) {
  return x += s;
}
template <DerivativeType X, PlainNumber S>
X operator+(S s, X x) {
  return x += s;
}
template <DerivativeType X, PlainNumber S>
X operator-(X x, S s) {
  return x -= s;
}
template <DerivativeType X, PlainNumber S>
X operator-(S s, X x) {
  x *= -1.0;
  return x += s;
}
template <DerivativeType X, PlainNumber S>
X operator*(X x, S s) {
  return x *= s;
}
template <DerivativeType X, PlainNumber S>
X operator*(S s, X x) {
  return x *= s;
}
template <DerivativeType X, PlainNumber S>
X operator/(X x, S s) {
  return x /= s;
}
template <DerivativeType X, PlainNumber S>
X operator/(S s, const X& x) {
  return X(s) /= x;
}
template <DerivativeType X>
X operator-(X x) {
  return x *= -1.0;
}
template <DerivativeType X>
X operator+(const X& x) {
  return x;
}

template <DerivativeType X>
auto operator<=>(const X& x, const X& y) {
  return value_of(x) <=> value_of(y);
}
template <DerivativeType X>
bool operator==(const X& x, const X& y) {
  return value_of(x) == value_of(y);
}
template <DerivativeType X, PlainNumber S>
auto operator<=>(const X& x, S s) {
  return value_of(x) <=> static_cast<double>(s);
}
template <DerivativeType X, PlainNumber S>
bool operator==(const X& x, S s) {
  return value_of(x) == static_cast<double>(s);
}

}  // namespace driftless
