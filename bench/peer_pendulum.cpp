// The pendulum for RADAU5: u' = v, v' = (0, -1) - 2 u lambda, and |u|^2 = 1 or its second derivative.
#include "bench/radau5_peer.h"

namespace bench {

namespace {

template <bool position>
void function(const int*, const double*, const double* y, double* f, double*, int*) {
  f[0] = y[2];
  f[1] = y[3];
  f[2] = -2.0 * y[0] * y[4];
  f[3] = -1.0 - 2.0 * y[1] * y[4];
  const double square = y[0] * y[0] + y[1] * y[1];
  f[4] = position ? square - 1.0 : 2.0 * (y[2] * y[2] + y[3] * y[3] - y[1] - 2.0 * y[4] * square);
}

// The rows after `skip`.
template <bool position, int skip>
void jacobian(const int*, const double*, const double* y, const int*, const int*, double* df, const int* ld, double*,
              int*) {
  auto at = [&](int i, int j) -> double& { return df[i - skip + j * *ld]; };
  for (int j = 0; j < 5; ++j)
    for (int i = skip; i < 5; ++i) at(i, j) = 0.0;
  if constexpr (skip == 0) at(0, 2) = at(1, 3) = 1.0;
  at(2, 0) = at(3, 1) = -2.0 * y[4];
  at(2, 4) = -2.0 * y[0];
  at(3, 4) = -2.0 * y[1];
  if constexpr (position) {
    at(4, 0) = 2.0 * y[0];
    at(4, 1) = 2.0 * y[1];
  } else {
    at(4, 0) = -8.0 * y[4] * y[0];
    at(4, 1) = -8.0 * y[4] * y[1] - 2.0;
    at(4, 2) = 4.0 * y[2];
    at(4, 3) = 4.0 * y[3];
    at(4, 4) = -4.0 * (y[0] * y[0] + y[1] * y[1]);
  }
}

}  // namespace

std::vector<PeerProblem> pendulum_for_peer(std::span<const double> start) {
  PeerProblem third{.form = "index 3",
                    .function = function<true>,
                    .jacobian = jacobian<true, 0>,
                    .size = 5,
                    .differential = 4,
                    .index1 = 2,
                    .index2 = 2,
                    .index3 = 1,
                    .first_step = 1e-3,
                    .start = {start.begin(), start.end()}};
  PeerProblem first = third;
  first.form = "index 1";
  first.function = function<false>;
  first.jacobian = jacobian<false, 0>;
  first.index1 = 5;
  first.index2 = first.index3 = 0;
  PeerProblem third_short = third, first_short = first;
  third_short.form = "index 3, M1 = 2";
  first_short.form = "index 1, M1 = 2";
  third_short.m1 = third_short.m2 = first_short.m1 = first_short.m2 = 2;
  third_short.jacobian = jacobian<true, 2>;
  first_short.jacobian = jacobian<false, 2>;
  return {third, first, third_short, first_short};
}

}  // namespace bench
