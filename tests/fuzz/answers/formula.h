// Formulas of a model whose solution is known: their text, their value at a time, their derivatives.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace driftless::fuzz {

struct Unknown;
struct Node;

class Formula {
 public:
  Formula(double number = 0.0);     // NOLINT(google-explicit-constructor): formulas are written with numbers
  Formula(const Unknown& unknown);  // NOLINT(google-explicit-constructor): and with unknowns
  explicit Formula(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  const Node& node() const { return *node_; }

 private:
  std::shared_ptr<const Node> node_;
};

Formula operator+(const Formula& a, const Formula& b);
Formula operator-(const Formula& a, const Formula& b);
Formula operator*(const Formula& a, const Formula& b);
Formula operator/(const Formula& a, const Formula& b);
Formula operator-(const Formula& a);
Formula power(const Formula& a, int exponent);
Formula sin(const Formula& a);
Formula cos(const Formula& a);
Formula exp(const Formula& a);
Formula tanh(const Formula& a);

Formula the_time();
Formula der(const Unknown& unknown);
Formula parameter(const std::string& name, double value);
// `first` until the time `change`, then `second`.
Formula switched(double change, const Formula& first, const Formula& second);
// A function of time that has no text: for unknowns that nothing else refers to.
Formula computed(std::function<double(double)> function);

std::string text(const Formula& formula);
double value(const Formula& formula, double t);
// Is it the number 0 for all times, by its form?
bool is_zero(const Formula& formula);
// Along the solution, with der() of the unknowns that occur, or with what it is known to be.
Formula rate(const Formula& formula);
Formula partial(const Formula& formula, const Unknown& unknown);
// Unknowns by what they are along the solution, in terms of clocks where those were used, or of the time alone.
Formula of_clocks(const Formula& formula);
Formula of_time(const Formula& formula);
// `unknown` by a formula that has the same value; der() of it by the formula's rate.
Formula replaced(const Formula& formula, const Unknown& unknown, const Formula& by);

}  // namespace driftless::fuzz
