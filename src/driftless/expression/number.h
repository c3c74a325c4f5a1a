// A number that remembers how it was computed from parameters, so that it can be computed again for other values.
//
// Decisions are made on values. A comparison of numbers that depend on parameters is recorded as a guard: for other
// values of the parameters it has to come out the same, or everything that was decided is void.
#pragma once

#include <cstdint>
#include <vector>

namespace driftless {

enum class Op : std::uint8_t;

class Number {
 public:
  constexpr Number(double value = 0.0) : value_(value) {}
  static Number traced(double value, std::uint32_t origin) {
    Number number(value);
    number.origin_ = origin;
    return number;
  }

  bool depends() const { return origin_ != 0; }     // on parameters
  std::uint32_t origin() const { return origin_; }  // a node of the ParameterTrace; 0 if it does not depend
  double at_compilation() const { return value_; }  // decides nothing, for messages and as a first guess
  double pinned() const;                            // as it is, recorded: another value voids what follows
  // False for all that depend on parameters: whoever asks must be right without knowing.
  bool is_plainly(double value) const { return !depends() && value_ == value; }

  Number& operator+=(Number b);
  Number& operator-=(Number b);
  Number& operator*=(Number b);
  Number& operator/=(Number b);

 private:
  double value_;
  std::uint32_t origin_ = 0;
};

using Numbers = std::vector<Number>;

Number compute(Op op, Number a, Number b = {}, Number c = {});

Number operator-(Number a);
Number operator+(Number a, Number b);
Number operator-(Number a, Number b);
Number operator*(Number a, Number b);
Number operator/(Number a, Number b);
Number abs(Number a);
Number sqrt(Number a);
Number max(Number a, Number b);

// Recorded.
bool operator<(Number a, Number b);
bool operator<=(Number a, Number b);
inline bool operator>(Number a, Number b) { return b < a; }
inline bool operator>=(Number a, Number b) { return b <= a; }
bool operator==(Number a, Number b);
bool isfinite(Number a);
bool isnormal(Number a);
bool isnan(Number a);

inline Number& Number::operator+=(Number b) { return *this = *this + b; }
inline Number& Number::operator-=(Number b) { return *this = *this - b; }
inline Number& Number::operator*=(Number b) { return *this = *this * b; }
inline Number& Number::operator/=(Number b) { return *this = *this / b; }

}  // namespace driftless
