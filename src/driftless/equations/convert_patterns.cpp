#include "driftless/equations/convert_patterns.h"

namespace driftless {

namespace {

enum PartOfF : std::size_t { velocity, force, reaction, states, across, mu_reaction, mu_across };
enum PartOfG : std::size_t { turning, gradient, turning_by_time, position, position_by_time };
enum PartOfGamma : std::size_t { ones_of_q, mass, ones_of_s };

void add_part(const std::vector<std::uint32_t>& places, ConstSpan from, double factor, Span values) {
  for (std::size_t k = 0; k < places.size(); ++k) values[places[k]] += factor * from[k];
}
void add_ones(const std::vector<std::uint32_t>& places, Span values) {
  for (const std::uint32_t place : places) values[place] += 1.0;
}

}  // namespace

ConvertedPatterns::ConvertedPatterns(const MechanicalSource& source, bool with_position_level)
    : source_(source),
      with_position_level_(with_position_level),
      unknowns_(2 * source.n + source.r),
      jacobian_(source->structure()->jacobian),
      across_(transposed_pattern(jacobian_)) {
  const auto& d = *source_->derivatives();
  const std::size_t n = source_.n, r = source_.r, m = source_.m;
  const std::size_t multipliers = with_position_level ? 2 * m : m, first = with_position_level ? m : 0;
  std::vector<PlacedBlock> f{{diagonal_pattern(n), 0, n},
                             {d.force, n, 0},
                             {d.reaction, n, 0},
                             {d.states, 2 * n, 0},
                             {across_.pattern, n, unknowns_}};
  std::vector<PlacedBlock> g{{jacobian_, first, 0}, {jacobian_, first, n}, {full_pattern(m, 1), first, unknowns_}};
  if (with_position_level) {
    f.push_back({d.reaction, 0, 0});
    f.push_back({across_.pattern, 0, unknowns_ + m});
    g.push_back({jacobian_, 0, 0});
    g.push_back({full_pattern(m, 1), 0, unknowns_});
  }
  const std::vector<PlacedBlock> gamma{{diagonal_pattern(n), 0, 0},
                                       {source_->has_mass() ? source_->structure()->mass : diagonal_pattern(n), n, n},
                                       {diagonal_pattern(r), 2 * n, 2 * n}};
  const std::vector<PlacedBlock> gamma_u{{d.momentum, n, 0}};
  f_ = block_pattern(unknowns_, unknowns_ + multipliers, f);
  g_ = block_pattern(multipliers, unknowns_ + 1, g);
  gamma_ = block_pattern(unknowns_, unknowns_, gamma);
  gamma_u_ = block_pattern(unknowns_, source_->has_mass() ? unknowns_ : 0,
                           source_->has_mass() ? std::span(gamma_u) : std::span<const PlacedBlock>());
  patterns_ = {.f = f_.pattern, .g = g_.pattern, .gamma = gamma_.pattern, .gamma_u = gamma_u_.pattern};
}

ConvertedPatterns::Gradients ConvertedPatterns::gradients(Scratch& scratch, ConstSpan u, double t) const {
  const Gradients found{scratch.take<double>(source_->structure()->mass.count()),
                        scratch.take<double>(jacobian_.count()), scratch.take<double>(source_.m)};
  source_->sparse_gradients(q(u), t, found.mass, found.g, found.by_time);
  return found;
}

// out -= G^T lambda
void ConvertedPatterns::subtract_reactions(ConstSpan g, ConstSpan lambda, Span out) const {
  for (std::size_t j = 0, k = 0; j < source_.n; ++j)
    for (; k < jacobian_.begin[j + 1]; ++k) out[j] -= g[k] * lambda[jacobian_.row[k]];
}

void ConvertedPatterns::f(ConstSpan u, ConstSpan multipliers, double t, Span out) const {
  const std::size_t n = source_.n, r = source_.r, m = source_.m;
  Scratch scratch;
  const ConstSpan g = gradients(scratch, u, t).g;
  std::ranges::copy(v(u), out.begin());
  if (with_position_level_) subtract_reactions(g, multipliers.subspan(m, m), out.first(n));
  source_->force(q(u), v(u), s(u), t, out.subspan(n, n));
  subtract_reactions(g, multipliers.first(m), out.subspan(n, n));
  if (r > 0) source_->states(q(u), v(u), s(u), t, out.subspan(2 * n, r));
}

void ConvertedPatterns::g(ConstSpan u, double t, Span out) const {
  const std::size_t m = source_.m;
  if (with_position_level_) source_->constraint(q(u), t, out.first(m));
  source_->constraint_rate(q(u), t, v(u), 1.0, out.last(m));
}

void ConvertedPatterns::f_values(ConstSpan u, ConstSpan multipliers, double t, Span values) const {
  const auto& d = *source_->derivatives();
  const std::size_t m = source_.m;
  Scratch scratch;
  const Span forces = scratch.take<double>(d.force.count()), reactions = scratch.take<double>(d.reaction.count()),
             rates = scratch.take<double>(d.states.count());
  const ConstSpan g = gradients(scratch, u, t).g;
  std::ranges::fill(values, 0.0);
  add_ones(f_.places[velocity], values);
  source_->force_values(q(u), v(u), s(u), t, forces);
  add_part(f_.places[force], forces, 1.0, values);
  source_->reaction_values(q(u), t, multipliers.first(m), reactions);
  add_part(f_.places[reaction], reactions, -1.0, values);
  if (source_.r > 0) source_->states_values(q(u), v(u), s(u), t, rates);
  add_part(f_.places[states], rates, 1.0, values);
  const auto& places = f_.places[across];
  for (std::size_t k = 0; k < places.size(); ++k) values[places[k]] -= g[across_.from[k]];
  if (!with_position_level_) return;
  source_->reaction_values(q(u), t, multipliers.subspan(m, m), reactions);
  add_part(f_.places[mu_reaction], reactions, -1.0, values);
  const auto& mu_places = f_.places[mu_across];
  for (std::size_t k = 0; k < mu_places.size(); ++k) values[mu_places[k]] -= g[across_.from[k]];
}

// The columns of lambda, and of mu behind them, have G^T alone.
void ConvertedPatterns::f_lambda_values(ConstSpan u, double t, Span values) const {
  Scratch scratch;
  const ConstSpan g = gradients(scratch, u, t).g;
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = -g[across_.from[k % across_.from.size()]];
}

// The derivative of G v + g_t by time from curvatures c along (v, 1), (v, 0) and (0, 1): (c - c + c) / 2.
void ConvertedPatterns::g_values(ConstSpan u, double t, Span values) const {
  const std::size_t n = source_.n, m = source_.m;
  Scratch scratch;
  const Span first = scratch.take<double>(jacobian_.count()), second = scratch.take<double>(jacobian_.count());
  const Span along = scratch.take<double>(m), still = scratch.take<double>(m), by_time = scratch.take<double>(m);
  const ConstSpan nothing = scratch.take<double>(n);
  const Gradients at = gradients(scratch, u, t);
  source_->turning_values(q(u), t, v(u), nothing, first, second);
  source_->constraint_curvature(q(u), t, v(u), 1.0, along);
  source_->constraint_curvature(q(u), t, v(u), 0.0, still);
  source_->constraint_curvature(q(u), t, nothing, 1.0, by_time);
  for (std::size_t i = 0; i < m; ++i) by_time[i] = 0.5 * (along[i] - still[i] + by_time[i]);
  std::ranges::fill(values, 0.0);
  add_part(g_.places[turning], first, 1.0, values);
  add_part(g_.places[gradient], at.g, 1.0, values);
  add_part(g_.places[turning_by_time], by_time, 1.0, values);
  if (!with_position_level_) return;
  add_part(g_.places[position], at.g, 1.0, values);
  add_part(g_.places[position_by_time], at.by_time, 1.0, values);
}

void ConvertedPatterns::gamma_values(ConstSpan u, double t, Span values) const {
  Scratch scratch;
  std::ranges::fill(values, 0.0);
  add_ones(gamma_.places[ones_of_q], values);
  add_part(gamma_.places[mass], gradients(scratch, u, t).mass, 1.0, values);
  add_ones(gamma_.places[ones_of_s], values);
}

void ConvertedPatterns::gamma_u_values(ConstSpan u, double t, ConstSpan w, Span values) const {
  if (!values.empty()) source_->momentum_values(q(u), t, v(w), values);
}

}  // namespace driftless
