// Left and right semi-inner products, (2.1) of Higueras and Soderlind 2003, and the Dini derivatives of norms:
//     (u, v)_+- = |u| lim_{e -> 0+-} (|u + e v| - |u|) / e,      D_t^+- |u| = (u, u')_+- / |u|.
#pragma once

#include "driftless/analysis/stability/vector_norm.h"

namespace driftless {

enum class Side { left, right };

// For a norm from an inner product both sides are that inner product.
double semi_inner_product(const Norm& norm, ConstSpan u, ConstSpan v, Side side = Side::right);

// The one-sided derivative of |u(t)| where u' is that of u; at u = 0 it is +-|u'|.
double dini_derivative(const Norm& norm, ConstSpan u, ConstSpan slope, Side side = Side::right);

// (4.6): |u_n| - |u_{n-1}| <= this <= |u_n - u_{n-1}| (Lemma 4.1). Not divided by h.
double dini_difference(const Norm& norm, ConstSpan u, ConstSpan previous);

}  // namespace driftless
