// Built-in functions of arrays.
#include <fmt/format.h>

#include "driftless/modelfile/flatten/evaluator.h"

namespace driftless {

Value Evaluator::with_rank(NodeId id, std::size_t rank, std::string_view function) {
  Value value = numeric(id, "the argument", function);
  if (value.rank() != rank) {
    fail(id, fmt::format("the argument of '{}' must be a {}, but this has size {}", function,
                         rank == 1 ? "vector" : "matrix", to_text(value.dims())));
  }
  return value;
}

// size(A), size(A, i)
Value Evaluator::builtin_size(const Arguments& arguments) {
  const Dims dims = dims_of(arguments[0]);
  if (arguments[1] == no_node) {
    std::vector<Scalar> sizes;
    for (const std::int64_t size : dims) sizes.push_back(Scalar::of(static_cast<double>(size)));
    return {Type{BaseType::integer}, {static_cast<std::int64_t>(dims.size())}, std::move(sizes)};
  }
  const double k = evaluate_number(arguments[1], BaseType::integer, "the second argument of 'size'");
  if (!(k >= 1.0 && k <= static_cast<double>(dims.size()))) {
    fail(arguments[1], fmt::format("there is no dimension {}: the size is {}", k, to_text(dims)));
  }
  return Value::integer(dims[static_cast<std::size_t>(k) - 1]);
}

// zeros(n, m), ones(n, m), fill(s, n, m), identity(n), linspace(a, b, n)
Value Evaluator::builtin_fill(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id) {
  const std::string what = fmt::format("a size in '{}'", builtin.name);
  const auto size_at = [&](std::size_t k) {
    const double size = evaluate_number(arguments[k], BaseType::integer, what);
    if (size < 0.0) fail(arguments[k], fmt::format("{} may not be negative, but it is {}", what, size));
    return static_cast<std::int64_t>(size);
  };
  const SourceRange range = tree_.range(id);
  if (builtin.which == Builtin::identity) {
    const std::int64_t n = size_at(0);
    std::vector<Scalar> elements(context_.checked_count({n, n}, range), Scalar::of(0.0));
    for (std::int64_t i = 0; i < n; ++i) elements[static_cast<std::size_t>(i * n + i)] = Scalar::of(1.0);
    return {Type{BaseType::integer}, {n, n}, std::move(elements)};
  }
  if (builtin.which == Builtin::linspace) {
    const Scalar from = evaluate_scalar(arguments[0], BaseType::real, "an end of 'linspace'");
    const Scalar to = evaluate_scalar(arguments[1], BaseType::real, "an end of 'linspace'");
    const std::int64_t n = size_at(2);
    if (n < 2) fail(arguments[2], fmt::format("'linspace' needs 2 points or more, but this is {}", n));
    std::vector<Scalar> elements(context_.checked_count({n}, range));
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(n - 1);
      elements[i] = arithmetic_.add(from, arithmetic_.multiply(Scalar::of(share), arithmetic_.subtract(to, from)));
    }
    elements.back() = to;
    return {Type{BaseType::real}, {n}, std::move(elements)};
  }
  const bool fill = builtin.which == Builtin::fill;
  Dims dims;
  for (std::size_t k = fill ? 1 : 0; k < arguments.size(); ++k) dims.push_back(size_at(k));
  const Value pattern = fill ? evaluate(arguments[0]) : Value::integer(builtin.which == Builtin::ones ? 1 : 0);
  const std::size_t copies = context_.checked_count(dims, range);
  dims.insert(dims.end(), pattern.dims().begin(), pattern.dims().end());
  std::vector<Scalar> elements;
  elements.reserve(context_.checked_count(dims, range) * pattern.width());
  for (std::size_t i = 0; i < copies; ++i) {
    elements.insert(elements.end(), pattern.elements().begin(), pattern.elements().end());
  }
  return {pattern.type(), std::move(dims), std::move(elements), pattern.width()};
}

// ndims, scalar, vector, matrix, cat, array, Integer, constsize
Value Evaluator::builtin_array(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id) {
  const SourceRange range = tree_.range(id);
  if (builtin.which == Builtin::ndims) return Value::integer(static_cast<std::int64_t>(dims_of(arguments[0]).size()));
  if (builtin.which == Builtin::array || builtin.which == Builtin::cat) {
    const bool cat = builtin.which == Builtin::cat;
    std::vector<Value> parts;
    for (std::size_t k = cat ? 1 : 0; k < arguments.size(); ++k) parts.push_back(evaluate(arguments[k]));
    if (!cat) return stack(std::move(parts), range);
    const double dimension = evaluate_number(arguments[0], BaseType::integer, "the dimension of 'cat'");
    if (!(dimension >= 1.0 && dimension <= 100.0))
      fail(arguments[0], fmt::format("there is no dimension {}", dimension));
    return concatenate(static_cast<std::size_t>(dimension) - 1, std::move(parts), range);
  }
  Value value = evaluate(arguments[0]);
  const auto others = [&](std::size_t kept) {  // whether all but `kept` sizes are 1
    std::size_t large = 0;
    for (const std::int64_t size : value.dims()) large += size != 1 ? 1 : 0;
    return large <= kept;
  };
  const auto wrong_size = [&] {
    fail(arguments[0], fmt::format("'{}' cannot be made of an array of size {}", builtin.name, to_text(value.dims())));
  };
  switch (builtin.which) {
    case Builtin::scalar:
      if (value.size() != value.width()) wrong_size();
      return {value.type(), {}, {value.elements().begin(), value.elements().end()}, value.width()};
    case Builtin::vector: {
      if (!others(1)) wrong_size();
      const auto count = static_cast<std::int64_t>(value.size() / value.width());
      return {value.type(), {count}, {value.elements().begin(), value.elements().end()}, value.width()};
    }
    case Builtin::matrix: {
      Dims dims = value.dims();
      dims.resize(2, 1);
      if (count_elements(dims) != count_elements(value.dims())) wrong_size();
      return {value.type(), std::move(dims), {value.elements().begin(), value.elements().end()}, value.width()};
    }
    case Builtin::to_integer:
      if (value.base() != BaseType::enumeration) {
        fail(arguments[0],
             fmt::format("'Integer' takes an enumeration, but this is {}", context_.type_name(value.type())),
             "integer(x) is the largest Integer that is not above x");
      }
      value.set_type(Type{BaseType::integer});
      return value;
    default: {  // constsize
      Dims dims;
      for (std::size_t k = 1; k < arguments.size(); ++k) {
        dims.push_back(
            static_cast<std::int64_t>(evaluate_number(arguments[k], BaseType::integer, "a size in 'constsize'")));
      }
      const bool fits = dims.size() <= value.rank() && std::equal(dims.begin(), dims.end(), value.dims().begin());
      if (!fits) fail(id, fmt::format("the size is {}, and not {}", to_text(value.dims()), to_text(dims)));
      return value;
    }
  }
}

// transpose, outerProduct, symmetric, cross, skew, diagonal
Value Evaluator::builtin_matrix(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id) {
  const std::string what = fmt::format("the argument of '{}'", builtin.name);
  const bool transposed = builtin.which == Builtin::transpose;
  const Value a = transposed ? numeric(arguments[0], "the argument", builtin.name)
                             : with_rank(arguments[0], builtin.which == Builtin::symmetric ? 2 : 1, builtin.name);
  if (transposed && a.rank() < 2)
    fail(arguments[0],
         fmt::format("the argument of 'transpose' must be a matrix, but this has size {}", to_text(a.dims())));
  const SourceRange range = tree_.range(id);
  const auto n = a.dims()[0];
  const auto size = static_cast<std::size_t>(n);
  std::vector<Scalar> out;
  switch (builtin.which) {
    case Builtin::transpose: {
      const auto columns = static_cast<std::size_t>(a.dims()[1]);  // of blocks, beyond rank 2
      const std::size_t block = size * columns > 0 ? a.size() / (size * columns) : 0;
      for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t i = 0; i < size; ++i)
          for (std::size_t k = 0; k < block; ++k) out.push_back(a[(i * columns + j) * block + k]);
      Dims dims = a.dims();
      std::swap(dims[0], dims[1]);
      return {a.type(), std::move(dims), std::move(out)};
    }
    case Builtin::symmetric: {
      if (a.dims()[0] != a.dims()[1])
        fail(arguments[0], fmt::format("{} must be square, but its size is {}", what, to_text(a.dims())));
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) out.push_back(a[std::min(i, j) * size + std::max(i, j)]);
      }
      return {a.type(), a.dims(), std::move(out)};
    }
    case Builtin::diagonal: {
      out.assign(context_.checked_count({n, n}, range), Scalar::of(0.0));
      for (std::size_t i = 0; i < size; ++i) out[i * size + i] = a[i];
      return {a.type(), {n, n}, std::move(out)};
    }
    case Builtin::outer_product: {
      const Value b = with_rank(arguments[1], 1, builtin.name);
      const Value column(a.type(), {n, 1}, {a.elements().begin(), a.elements().end()});
      const Value row(b.type(), {1, b.dims()[0]}, {b.elements().begin(), b.elements().end()});
      return multiply(column, row, common_type(a, b, range), range);
    }
    default: break;
  }
  if (n != 3) fail(arguments[0], fmt::format("{} must have 3 elements, but this has {}", what, n));
  const auto minus = [&](Scalar s) { return arithmetic_.negate(s); };
  const Scalar zero = Scalar::of(0.0);
  Value skew(a.type(), {3, 3}, {zero, minus(a[2]), a[1], a[2], zero, minus(a[0]), minus(a[1]), a[0], zero});
  if (builtin.which == Builtin::skew) return skew;
  const Value b = with_rank(arguments[1], 1, builtin.name);
  if (b.dims()[0] != 3) fail(arguments[1], fmt::format("{} must have 3 elements, but this has {}", what, b.dims()[0]));
  const auto times = [&](std::size_t i, std::size_t j) { return arithmetic_.multiply(a[i], b[j]); };
  const auto entry = [&](std::size_t i, std::size_t j) { return arithmetic_.subtract(times(i, j), times(j, i)); };
  return {common_type(a, b, range), {3}, {entry(1, 2), entry(2, 0), entry(0, 1)}};
}

}  // namespace driftless
