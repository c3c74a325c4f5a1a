#include "driftless/step/explicit_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/core/scratch.h"
#include "driftless/step/half_explicit_rk.h"

namespace driftless {

ExplicitStep::ExplicitStep(Manifold& manifold, const ExplicitPair& pair, std::size_t size, std::size_t algebraic)
    : pair_(pair),
      size_(size),
      moving_(size - algebraic),
      slopes_(size, pair.all_stages()),
      point_(size),
      manifold_(manifold) {}

namespace {

// out = x + h sum_j w_j k_j for `Count` components: what would limit this is reading and writing `out`.
template <std::size_t Count>
void add_terms_to(std::span<const ExplicitPair::Term> terms, const double* slopes, std::size_t stride, const double* x,
                  double h, double* out) {
  double sum[Count] = {};
  for (const auto& [stage, weight] : terms) {
    const double* slope = slopes + stage * stride;
    for (std::size_t k = 0; k < Count; ++k) sum[k] += weight * slope[k];
  }
  for (std::size_t k = 0; k < Count; ++k) out[k] = x[k] + h * sum[k];
}

}  // namespace

// Eight components at a time, and the rest in one more pass.
void ExplicitStep::add_terms(std::span<const Term> terms, const double* x, double h, double* out) const {
  const double* slopes = slopes_.data();
  std::size_t i = 0;
  for (; i + 8 <= moving_; i += 8) add_terms_to<8>(terms, slopes + i, size_, x + i, h, out + i);
  switch (moving_ - i) {
    case 1: return add_terms_to<1>(terms, slopes + i, size_, x + i, h, out + i);
    case 2: return add_terms_to<2>(terms, slopes + i, size_, x + i, h, out + i);
    case 3: return add_terms_to<3>(terms, slopes + i, size_, x + i, h, out + i);
    case 4: return add_terms_to<4>(terms, slopes + i, size_, x + i, h, out + i);
    case 5: return add_terms_to<5>(terms, slopes + i, size_, x + i, h, out + i);
    case 6: return add_terms_to<6>(terms, slopes + i, size_, x + i, h, out + i);
    case 7: return add_terms_to<7>(terms, slopes + i, size_, x + i, h, out + i);
    default: return;
  }
}

void ExplicitStep::add(std::size_t row, ConstSpan x, double h, Span out) const {
  add_terms(this->row(row), x.data(), h, out.data());
  for (std::size_t i = moving_; i < size_; ++i) out[i] = x[i];
}

// Multipliers of the last point are the first guess for those of this one, where they are found by iteration.
ManifoldStatus ExplicitStep::evaluate(std::size_t stage, double t, ConstSpan x, double h) {
  point_time_ = t + pair_.c[stage] * h;
  add(stage, x, h, point_);
  ++work_.evaluations;
  return manifold_.flow_of_all(point_time_, point_, slopes_.view().column(stage));
}

ManifoldStatus ExplicitStep::take(double t, ConstSpan x, double h, Span next) {
  for (std::size_t i = 1; i < pair_.stages; ++i)
    if (const auto status = evaluate(i, t, x, h); status != ManifoldStatus::ok) return status;
  add(pair_.stages, x, h, next);
  std::copy(point_.begin() + moving_, point_.end(), next.begin() + moving_);
  return ManifoldStatus::ok;
}

ManifoldStatus ExplicitStep::extend(double t, ConstSpan x, double h) {
  for (std::size_t i = pair_.first_extra_stage(); i < pair_.all_stages(); ++i)
    if (const auto status = evaluate(i, t, x, h); status != ManifoldStatus::ok) return status;
  return ManifoldStatus::ok;
}

namespace {

Tableau leading_tableau(const ExplicitPair& pair) {
  const std::size_t s = pair.stages;
  Matrix a(s, s);
  Vector b(s);
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < i; ++j) a(i, j) = pair.a(i, j);
    b[i] = pair.a(s, i);
  }
  return from_numbers(pair.name, std::move(a), std::move(b), Vector(pair.c.begin(), pair.c.begin() + s));
}

std::unique_ptr<Stepper> half_explicit_stepper(const Equations& equations, const ExplicitPair& pair) {
  const Method method{.tableau = leading_tableau(pair), .projection = Projection::none};
  if (const auto* mechanical = std::get_if<Mechanical>(&equations))
    return std::make_unique<HalfExplicitMechanical>(*mechanical, method);
  if (const auto* wide = std::get_if<WideMechanical>(&equations))
    return std::make_unique<HalfExplicitWide>(*wide, method);
  if (const auto* index2 = std::get_if<Index2>(&equations))
    return std::make_unique<HalfExplicitIndex2>(*index2, method, NewtonOptions{});
  throw Misuse(
      fmt::format("{} is a half-explicit method, for equations of index 2 and for mechanical ones; these are of "
                  "index {}: take dop853, radau or automatic",
                  pair.name, index_of(equations)));
}

}  // namespace

HalfExplicitStep::HalfExplicitStep(const Equations& equations, Manifold& manifold, const ExplicitPair& pair,
                                   std::size_t size, std::size_t algebraic)
    : ExplicitStep(manifold, pair, size, algebraic),
      stepper_(half_explicit_stepper(equations, pair)),
      workspace_(stepper_->make_workspace()),
      attempt_(stepper_->make_attempt()) {
  attempt_.slopes = Matrix(size, pair.stages);
}

ManifoldStatus HalfExplicitStep::take(double t, ConstSpan x, double h, Span next) {
  const auto failure = stepper_->attempt(t, x, h, *workspace_, attempt_);
  work_ = attempt_.work;
  newton_iterations_ = attempt_.newton_iterations;
  std::ranges::copy(attempt_.state, point_.begin());
  point_time_ = failure ? failure->time : t + h;
  if (failure)
    return failure->kind == FailureKind::not_finite ? ManifoldStatus::not_finite : ManifoldStatus::not_converged;
  std::ranges::copy(attempt_.state, next.begin());
  for (std::size_t i = 0; i < pair_.stages; ++i)
    std::ranges::copy(attempt_.slopes.view().column(i), slopes_.view().column(i).begin());
  return ManifoldStatus::ok;
}

std::unique_ptr<ExplicitStep> make_explicit_step(const Equations& equations, Manifold& manifold,
                                                 const ExplicitPair& pair, std::size_t size, std::size_t algebraic) {
  if (pair.half_explicit) return std::make_unique<HalfExplicitStep>(equations, manifold, pair, size, algebraic);
  return std::make_unique<ExplicitStep>(manifold, pair, size, algebraic);
}

void ExplicitStep::combine(ConstSpan weights, double h, Span out) const {
  Scratch scratch;
  const std::span<Term> terms = scratch.take<Term>(weights.size());
  std::size_t count = 0;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0.0) terms[count++] = {j, weights[j]};
  std::fill(out.begin(), out.end(), 0.0);
  add_terms(terms.first(count), out.data(), h, out.data());
}

void ExplicitStep::estimate(Estimate which, double h, Span out) const {
  std::fill(out.begin(), out.end(), 0.0);
  add_terms(row(pair_.all_stages() + static_cast<std::size_t>(which)), out.data(), h, out.data());
}

}  // namespace driftless
