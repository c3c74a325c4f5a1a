#include "apps/driftless/output/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::cli {

namespace {

std::string block_words(const Equations& equations, const Block& block) {
  const bool mechanics = !std::holds_alternative<Index1>(equations) && !std::holds_alternative<Index2>(equations);
  if (block.symbol == "q" || (mechanics && block.symbol == "u")) return counted(block.size, "position", "positions");
  if (block.symbol == "v") return counted(block.size, "velocity", "velocities");
  if (block.symbol == "s") return counted(block.size, "first-order state", "first-order states");
  if (block.symbol == "lambda") return counted(block.size, "multiplier", "multipliers");
  if (block.symbol == "u") return counted(block.size, "state", "states");
  return counted(block.size, "unknown", "unknowns");
}

const char* form_words(const Equations& equations) {
  struct Visitor {
    const char* operator()(const Index1&) const { return "P x' = f(x, t)"; }
    const char* operator()(const Index2&) const { return "Gamma u' = f(u, lambda, t), 0 = g(u, t)"; }
    const char* operator()(const Index3&) const { return "u' = f(u, v, t), v' = k(u, v, lambda, t), 0 = g(u, t)"; }
    const char* operator()(const Mechanical&) const { return "q' = v, M v' = F - G^T lambda, 0 = g(q, t)"; }
    const char* operator()(const WideMechanical&) const {
      return "q' = T(q, t) v, M v' = F - (G T)^T lambda - A^T nu, 0 = g(q, t), 0 = A(q, t) v + b(q, t)";
    }
  };
  return std::visit(Visitor{}, equations);
}

}  // namespace

std::string counted(std::size_t n, const char* one, const char* several) {
  return fmt::format("{} {}", n, n == 1 ? one : several);
}

std::string describe_form(const Equations& equations) {
  std::vector<std::string> blocks;
  for (const Block& block : layout_of(equations).blocks())
    if (block.size > 0) blocks.push_back(block_words(equations, block));
  const int index = index_of(equations);
  if (index == 0) return fmt::format("ordinary differential equations: {}", fmt::join(blocks, ", "));
  return fmt::format("index {}, {}: {}", index, form_words(equations), fmt::join(blocks, ", "));
}

std::vector<std::pair<const char*, std::size_t>> named_counts(const Statistics& s) {
  static_assert(sizeof(Statistics) == 15 * sizeof(std::size_t), "a new count needs a name here");
  return {{"steps", s.steps},
          {"rejected_by_error", s.rejected_by_error},
          {"rejected_by_newton", s.rejected_by_newton},
          {"rejected_by_projection", s.rejected_by_projection},
          {"newton_iterations", s.newton_iterations},
          {"evaluations", s.evaluations},
          {"jacobians", s.jacobians},
          {"jacobians_slow_newton", s.jacobians_slow_newton},
          {"jacobians_after_failure", s.jacobians_after_failure},
          {"factorisations", s.factorisations},
          {"order_raised", s.order_raised},
          {"order_lowered", s.order_lowered},
          {"explicit_steps", s.explicit_steps},
          {"turned_implicit", s.turned_implicit},
          {"turned_explicit", s.turned_explicit}};
}

}  // namespace driftless::cli
