// What expressions of the language evaluate to: numbers that are known, and formulas for those that are not yet.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

// One number. Booleans are 0 and 1, enumerations count from 1, strings are entries of a table of texts.
struct Scalar {
  enum class Kind : std::uint8_t { undefined, constant, expression };
  Kind kind = Kind::undefined;
  Expr expr;
  Number number = 0.0;

  static Scalar of(Number number) { return {Kind::constant, {}, number}; }
  static Scalar of(Expr expr) { return {Kind::expression, expr, 0.0}; }
  bool is_constant() const { return kind == Kind::constant; }
  bool is_constant(double value) const { return kind == Kind::constant && number == value; }  // on record
  bool is_expression() const { return kind == Kind::expression; }
  bool is_undefined() const { return kind == Kind::undefined; }
  friend bool operator==(const Scalar&, const Scalar&) = default;
};

// A function is what an input of another function may be; its number is that of a table of them.
enum class BaseType : std::uint8_t { real, integer, boolean, string, enumeration, record, function };

struct Type {
  BaseType base = BaseType::real;
  std::uint32_t definition = 0;  // of an enumeration or a record, in Types
  friend bool operator==(Type, Type) = default;
  bool is_numeric() const { return base == BaseType::real || base == BaseType::integer; }
};

using Dims = std::vector<std::int64_t>;

std::string to_text(const Dims& dims);          // [3, 2], with ":" for what is open
std::int64_t count_elements(const Dims& dims);  // saturates instead of overflowing

// An array of any rank, row by row; rank 0 is a scalar. An element of a record is all its numbers, one after the other.
class Value {
 public:
  Value() = default;
  Value(Type type, Scalar scalar) : type_(type), single_(scalar) {}
  Value(Type type, Dims dims, std::vector<Scalar> elements, std::uint32_t width = 1);

  static Value real(Scalar scalar) { return {Type{BaseType::real}, scalar}; }
  static Value integer(std::int64_t number) {
    return {Type{BaseType::integer}, Scalar::of(static_cast<double>(number))};
  }
  static Value boolean(bool truth) { return {Type{BaseType::boolean}, Scalar::of(truth ? 1.0 : 0.0)}; }

  Type type() const { return type_; }
  BaseType base() const { return type_.base; }
  const Dims& dims() const { return dims_; }
  std::size_t rank() const { return dims_.size(); }
  std::uint32_t width() const { return width_; }
  bool is_scalar() const { return dims_.empty(); }
  bool is_single() const { return many_.empty() && dims_.empty() && width_ == 1; }

  std::span<const Scalar> elements() const;
  std::span<Scalar> elements();
  const Scalar& operator[](std::size_t k) const { return elements()[k]; }
  Scalar& operator[](std::size_t k) { return elements()[k]; }
  std::size_t size() const { return elements().size(); }
  const Scalar& scalar() const { return single_; }  // of a single one

  bool is_constant() const;
  void set_type(Type type) { type_ = type; }
  void reshape(Dims dims) { dims_ = std::move(dims); }  // same number of elements, and not between rank 0 and others

 private:
  Type type_;
  std::uint32_t width_ = 1;
  Scalar single_;
  Dims dims_;
  std::vector<Scalar> many_;
};

}  // namespace driftless
