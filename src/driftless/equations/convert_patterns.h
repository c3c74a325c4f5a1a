// A mechanical problem with many unknowns as one of index 2, on patterns: u = (q, v, s) with lambda on velocity level
// and, if wanted, mu on position level (Gear, Gupta and Leimkuhler). Values are put together from those of the
// mechanical functions.
#pragma once

#include "driftless/equations/convert_parts.h"
#include "driftless/equations/index2.h"
#include "driftless/linalg/block_pattern.h"

namespace driftless {

class ConvertedPatterns {
 public:
  // The source must outlive this, and know its derivatives.
  ConvertedPatterns(const MechanicalSource& source, bool with_position_level);

  const Index2::Functions::Patterns& patterns() const { return patterns_; }
  void f(ConstSpan u, ConstSpan multipliers, double t, Span out) const;
  void g(ConstSpan u, double t, Span out) const;
  void f_values(ConstSpan u, ConstSpan multipliers, double t, Span values) const;
  void f_lambda_values(ConstSpan u, double t, Span values) const;
  void g_values(ConstSpan u, double t, Span values) const;
  void gamma_values(ConstSpan u, double t, Span values) const;
  void gamma_u_values(ConstSpan u, double t, ConstSpan w, Span values) const;

 private:
  struct Gradients {
    Span mass, g, by_time;
  };
  Gradients gradients(Scratch& scratch, ConstSpan u, double t) const;
  void subtract_reactions(ConstSpan g, ConstSpan lambda, Span out) const;

  ConstSpan q(ConstSpan u) const { return u.subspan(0, source_.n); }
  ConstSpan v(ConstSpan u) const { return u.subspan(source_.n, source_.n); }
  ConstSpan s(ConstSpan u) const { return u.subspan(2 * source_.n, source_.r); }

  const MechanicalSource& source_;
  bool with_position_level_;
  std::size_t unknowns_;  // of u
  Pattern jacobian_;      // of G
  TransposedPattern across_;
  Index2::Functions::Patterns patterns_;
  // Where the parts are: v by itself, forces, reactions, states, G^T; with mu, its reactions and G^T.
  BlockPattern f_, g_, gamma_, gamma_u_;
};

}  // namespace driftless
