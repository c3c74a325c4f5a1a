// The functions that the language brings along.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

enum class Builtin {
  elementwise,  // one number to one number: `op`
  binary,       // atan2
  absolute,
  sign,
  div,
  mod,
  rem,
  ceil,
  floor,
  integer,
  der,
  pre,
  edge,
  change,
  no_event,
  smooth,
  sample,
  initial,
  parameter_equal,  // of two numbers that do not change
  terminal,
  semi_linear,
  homotopy,
  min,
  max,
  sum,
  product,
  size,
  ndims,
  scalar,
  vector,
  matrix,
  transpose,
  outer_product,
  symmetric,
  cross,
  skew,
  identity,
  diagonal,
  zeros,
  ones,
  fill,
  linspace,
  cat,
  array,
  text,        // String
  to_integer,  // Integer(enumeration)
  pure,        // pure(call)
  const_size,  // constsize(array, ...)
  instance_name,
};

struct BuiltinFunction {
  std::string_view name;
  Builtin which;
  std::string_view parameters;  // names, separated by commas; "..." at the end: any number more
  int required;
  Op op = Op::constant;
};

const BuiltinFunction* find_builtin(std::string_view name);
const std::vector<std::string_view>& parameters_of(const BuiltinFunction& builtin);  // of one that was found
std::vector<std::string_view> split_at_commas(std::string_view list);
std::vector<std::string_view> builtin_names();

// What the language has, but we do not: the reason or the way around it.
std::optional<std::string_view> refused_builtin(std::string_view name);

// Modelica.Constants.name
std::optional<double> library_constant(std::string_view name);

// Statements rather than functions: assert, terminate, reinit.
bool is_statement_function(std::string_view name);

}  // namespace driftless
