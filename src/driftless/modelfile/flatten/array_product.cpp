// Arithmetic of arrays: element by element, and the products of linear algebra.
#include <fmt/format.h>

#include "driftless/modelfile/flatten/evaluator.h"

namespace driftless {

namespace {

bool is_dotted(TokenKind op) { return op >= TokenKind::dot_plus && op <= TokenKind::dot_power; }

}  // namespace

Value Evaluator::elementwise(TokenKind op, const Value& a, const Value& b, Type type, SourceRange range) {
  const bool mixed = a.is_scalar() != b.is_scalar();
  if (mixed && !is_dotted(op) && op != TokenKind::divide) {
    Context::fail(range,
                  fmt::format("'{}' needs equal sizes, but these are {} and {}", spelling(op), to_text(a.dims()),
                              to_text(b.dims())),
                  fmt::format("a number with each element: a .{} b", spelling(op)));
  }
  if (!mixed && a.dims() != b.dims()) {
    Context::fail(range, fmt::format("'{}' needs equal sizes, but these are {} and {}", spelling(op), to_text(a.dims()),
                                     to_text(b.dims())));
  }
  const bool integer = type.base == BaseType::integer;
  return map(
      a, b, type, [&](Scalar x, Scalar y) { return arithmetic(op, x, y, integer, range); }, range);
}

// Numbers with arrays, and vectors and matrices as in linear algebra: the last size of a meets the first one of b.
Value Evaluator::multiply(const Value& a, const Value& b, Type type, SourceRange range) {
  const bool integer = type.base == BaseType::integer;
  const auto times = [&](Scalar x, Scalar y) { return arithmetic(TokenKind::times, x, y, integer, range); };
  if (a.is_scalar() || b.is_scalar()) return map(a, b, type, times, range);
  const bool fits = a.rank() <= 2 && b.rank() <= 2 && a.dims().back() == b.dims().front();
  if (!fits) {
    Context::fail(range,
                  fmt::format("the sizes {} and {} do not fit for a product", to_text(a.dims()), to_text(b.dims())),
                  a.dims() == b.dims() ? "element by element: a .* b" : "");
  }
  const auto inner = static_cast<std::size_t>(b.dims().front());
  const auto rows = static_cast<std::size_t>(a.rank() == 2 ? a.dims()[0] : 1);
  const auto columns = static_cast<std::size_t>(b.rank() == 2 ? b.dims()[1] : 1);
  Dims dims;
  if (a.rank() == 2) dims.push_back(a.dims()[0]);
  if (b.rank() == 2) dims.push_back(b.dims()[1]);
  std::vector<Scalar> elements;
  elements.reserve(context_.checked_count(dims, range));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      context_.charge(inner, range);
      Scalar sum = Scalar::of(0.0);
      for (std::size_t k = 0; k < inner; ++k) {
        const Scalar term = times(a[i * inner + k], b[k * columns + j]);
        sum = k == 0 ? term : arithmetic(TokenKind::plus, sum, term, integer, range);
      }
      elements.push_back(sum);
    }
  }
  return {type, std::move(dims), std::move(elements)};
}

// A^n for a square matrix and a known Integer n >= 0.
Value Evaluator::raise_matrix(const Value& a, const Value& b, SourceRange range) {
  const bool square = a.rank() == 2 && a.dims()[0] == a.dims()[1];
  const bool exponent = b.is_single() && b.base() == BaseType::integer && b.scalar().is_constant();
  if (!square || !exponent || !(b.scalar().number >= 0.0 && b.scalar().number <= 1e15)) {
    Context::fail(range, "'^' of an array needs a square matrix and a known Integer that is not negative",
                  "element by element: a .^ b");
  }
  const auto n = static_cast<std::size_t>(a.dims()[0]);
  const Type real{BaseType::real};
  std::vector<Scalar> unit(n * n, Scalar::of(0.0));
  for (std::size_t i = 0; i < n; ++i) unit[i * n + i] = Scalar::of(1.0);
  Value result(real, a.dims(), std::move(unit)), square_power = a;
  square_power.set_type(real);
  for (auto bits = static_cast<std::uint64_t>(b.scalar().number.pinned()); bits > 0; bits >>= 1) {
    if (bits & 1) result = multiply(result, square_power, real, range);
    if (bits > 1) square_power = multiply(square_power, square_power, real, range);
  }
  return result;
}

}  // namespace driftless
