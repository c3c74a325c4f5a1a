#include "driftless/tableau/conditions.h"

#include <fmt/format.h>

#include <cmath>

#include "driftless/tableau/index2_order.h"
#include "driftless/tableau/properties.h"

namespace driftless {
namespace {

ConditionVerdict b1_of(const Properties& p) {
  if (p.invertible) return {true, "A is invertible"};
  if (p.explicit_method) {
    return {false, "the method is explicit, so A is singular and the stages do not determine the multiplier"};
  }
  return {false, "A is singular, so the stages do not determine the multiplier"};
}

ConditionVerdict b2_of(const Properties& p) {
  if (!p.invertible) return {false, "R(infinity) = 1 - b^T A^-1 1 needs an invertible A"};
  const double size = std::abs(p.r_infinity);
  if (size == 0.0) return {true, "R(infinity) = 0: an error in the multiplier is gone after one step"};
  if (size < 1.0) {
    return {true,
            fmt::format("|R(infinity)| = {:.4g} < 1: an error in the multiplier shrinks by this factor in every step",
                        size)};
  }
  if (size == 1.0) return {false, "|R(infinity)| = 1, so an error in the multiplier is never damped"};
  return {false, fmt::format("|R(infinity)| = {:.4g} > 1, so an error in the multiplier grows in every step", size)};
}

std::string orders_in_words(const Properties& p) {
  return fmt::format("order {}, stage order {}", p.order, p.stage_order);
}

ConditionVerdict b3_index2_of(const Properties& p) {
  const std::string orders = orders_in_words(p);
  if (p.stage_order < 1) return {false, orders + ": the stage order must be at least 1, that is, c = row sums of A"};
  if (p.order < p.stage_order) return {false, orders + ": the order must not be below the stage order"};
  return {true, orders};
}

ConditionVerdict b3_index3_of(const Properties& p) {
  const std::string orders = orders_in_words(p);
  if (p.stage_order < 2) {
    return {false,
            orders + ": index 3 needs stage order 2 or more, because the multiplier is found to order q - 1 only"};
  }
  if (p.order < p.stage_order + 1) return {false, orders + ": index 3 needs an order above the stage order"};
  return {true, orders};
}

ConditionVerdict overall_of(const Tableau& tableau, const ConditionVerdicts& v, const char* prime) {
  const std::string title = title_of(tableau);
  const ConditionVerdict* verdicts[] = {&v.b1, &v.b2, &v.b3};
  for (int k = 0; k < 3; ++k) {
    if (!verdicts[k]->holds)
      return {false, fmt::format("{}: (B{}{}) fails: {}", title, k + 1, prime, verdicts[k]->reason)};
  }
  return {true, fmt::format("{0}: (B1{1}), (B2{1}) and (B3{1}) hold: {2}; {3}; {4}", title, prime, v.b1.reason,
                            v.b2.reason, v.b3.reason)};
}

ConditionVerdict b1_half_explicit(const Tableau& t) {
  const std::size_t s = t.stages();
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = i; j < s; ++j) {
      if (t.a(i, j) == 0.0) continue;
      return {false, fmt::format("the method is not explicit: a_{},{} = {:.4g}", i + 1, j + 1, t.a(i, j))};
    }
  for (std::size_t i = 0; i + 1 < s; ++i) {
    if (t.a(i + 1, i) != 0.0) continue;
    return {false, fmt::format("a_{},{} = 0, so the constraint at stage {} does not determine Lambda_{}", i + 2, i + 1,
                               i + 2, i + 1)};
  }
  if (t.b[s - 1] == 0.0) {
    return {false, fmt::format("b_{0} = 0, so the constraint at the new point does not determine Lambda_{0}", s)};
  }
  return {true, "a_{i+1,i} != 0 and b_s != 0, so every constraint determines one multiplier"};
}

ConditionVerdict b2_half_explicit(const Properties& p, const HalfExplicitOrders& orders) {
  if (!p.nodes_are_row_sums) return {false, "c is not the vector of the row sums of A"};
  if (orders.u < 1) return {false, "the method is not even of order 1: its weights do not add up to 1"};
  return {true,
          fmt::format("order {}{} in the state and c = A 1", orders.u == orders.searched ? "at least " : "", orders.u)};
}

ConditionVerdict b3_half_explicit(const Tableau& t, const HalfExplicitOrders& orders) {
  const double last_node = t.c.back();
  if (std::abs(last_node - 1.0) > 1e-14) {
    return {false, fmt::format("c_s = {:.4g}, not 1, so Lambda_s belongs to a time inside the step", last_node)};
  }
  if (orders.lambda > orders.u) {
    return {false, fmt::format("Lambda_s is of order {}, above the order {} of the state", orders.lambda, orders.u)};
  }
  return {true,
          fmt::format("Lambda_s is of order {}{}", orders.lambda == orders.searched ? "at least " : "", orders.lambda)};
}

}  // namespace

ConditionVerdicts conditions_projected_index2(const Tableau& tableau) {
  const Properties p = properties_of(tableau);
  ConditionVerdicts verdicts{b1_of(p), b2_of(p), b3_index2_of(p), {}};
  verdicts.overall = overall_of(tableau, verdicts, "");
  return verdicts;
}

ConditionVerdicts conditions_projected_index3(const Tableau& tableau) {
  const Properties p = properties_of(tableau);
  ConditionVerdicts verdicts{b1_of(p), b2_of(p), b3_index3_of(p), {}};
  verdicts.overall = overall_of(tableau, verdicts, "");
  return verdicts;
}

ConditionVerdicts conditions_half_explicit(const Tableau& tableau) {
  ConditionVerdicts verdicts{b1_half_explicit(tableau), {}, {}, {}};
  if (verdicts.b1.holds) {
    const HalfExplicitOrders orders = half_explicit_orders(tableau);
    verdicts.b2 = b2_half_explicit(properties_of(tableau), orders);
    verdicts.b3 = b3_half_explicit(tableau, orders);
  } else {
    verdicts.b2 = verdicts.b3 = {false, "not examined, because (B1') fails"};
  }
  verdicts.overall = overall_of(tableau, verdicts, "'");
  return verdicts;
}

}  // namespace driftless
