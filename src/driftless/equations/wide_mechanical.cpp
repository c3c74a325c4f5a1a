#include "driftless/equations/wide_mechanical.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/core/scratch.h"
#include "driftless/equations/wide_automatic.h"

namespace driftless {

namespace {

std::size_t named_or(std::size_t size, const Names& names, const Names& more = {}) {
  return size > 0 ? size : std::max(names.size(), more.size());
}

void append(Names& all, const Names& more) { all.insert(all.end(), more.begin(), more.end()); }

}  // namespace

WideMechanical::Shape WideMechanical::Shape::resolved() const {
  Shape shape = *this;
  shape.q = named_or(q, q_names);
  if (v == as_many_as_q) shape.v = v_names.empty() ? shape.q : v_names.size();
  shape.s = named_or(s, s_names);
  shape.lambda = named_or(lambda, lambda_names, constraint_names);
  shape.nu = named_or(nu, nu_names, velocity_constraint_names);
  shape.position_invariants = named_or(position_invariants, position_invariant_names);
  shape.velocity_invariants = named_or(velocity_invariants, velocity_invariant_names);
  return shape;
}

WideMechanical::WideMechanical(const Shape& given, std::shared_ptr<const Functions> functions)
    : shape_(given.resolved()), functions_(std::move(functions)) {
  if (!functions_) throw Misuse("equations need functions, but none were given");
  if (shape_.q == 0) throw Misuse("mechanical: there are no unknowns");
  shape_.q_names = complete_names("q", shape_.q, shape_.q_names);
  shape_.v_names = complete_names("v", shape_.v, shape_.v_names);
  shape_.s_names = complete_names("s", shape_.s, shape_.s_names);
  shape_.lambda_names = complete_names("lambda", shape_.lambda, shape_.lambda_names);
  shape_.nu_names = complete_names("nu", shape_.nu, shape_.nu_names);
  constraints_ = complete_names("g", shape_.lambda, shape_.constraint_names);
  append(constraints_, complete_names("h", shape_.nu, shape_.velocity_constraint_names));
  Names invariants = complete_names("i", shape_.position_invariants, shape_.position_invariant_names);
  append(invariants, complete_names("j", shape_.velocity_invariants, shape_.velocity_invariant_names));
  append(constraints_, invariants);
  Names multipliers = shape_.lambda_names;
  append(multipliers, shape_.nu_names);
  for (const auto& name : invariants) multipliers.push_back("drift of " + name);
  layout_.add("q", shape_.q, shape_.q_names);
  layout_.add("v", shape_.v, shape_.v_names);
  layout_.add("s", shape_.s, shape_.s_names);
  layout_.add("lambda", lambda_size(), multipliers);
}

WideMechanical WideMechanical::with_functions(std::shared_ptr<const Functions> functions) const {
  if (!functions) throw Misuse("equations need functions, but none were given");
  WideMechanical other = *this;
  other.functions_ = std::move(functions);
  return other;
}

void WideMechanical::Functions::dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView mass_out,
                                         Span force_out, MatrixView c, Span curvature, Span rate) const {
  if (has_mass()) mass(q, t, mass_out);
  force(q, v, s, t, force_out);
  directions(q, t, c);
  rates(q, v, t, rate);
  Scratch scratch;
  acceleration_rows(q, v, scratch.take<double>(v.size()), t, curvature);
}

// By the second derivative along changes of the velocities, at a point where nothing is special. A formula that is not
// finite there is not judged.
void require_affine(const char* name, FormulaOf<Taylor<double>> formula, std::size_t arguments, std::size_t first,
                    std::size_t count, std::size_t results) {
  if (count == 0 || results == 0) return;
  Vector x(arguments), along(arguments, 0.0), second(results);
  for (std::size_t i = 0; i < arguments; ++i) x[i] = 0.4 + 0.3 * std::sin(1.0 + 2.0 * static_cast<double>(i));
  for (std::size_t i = 0; i < count; ++i) along[first + i] = 1.0 - 0.4 * std::cos(static_cast<double>(i));
  second_derivative(formula, x, along, second);
  constexpr double rounding = 1e-10;
  for (std::size_t i = 0; i < results; ++i)
    if (std::abs(second[i]) > rounding)
      throw Misuse(
          fmt::format("{} is not linear in the velocities: component {} of its result is curved in them; state "
                      "forces in force(), and constraints on positions in constraint()",
                      name, i));
}

}  // namespace driftless
