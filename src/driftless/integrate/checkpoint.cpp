// A run's memory as text: numbers in hexadecimal, so that reading gives the same bits.
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "driftless/integrate/adaptive_radau.h"

namespace driftless {

namespace {

constexpr const char* magic = "driftless-checkpoint-1";

class Writer {
 public:
  void operator()(double x) { text_ += fmt::format("{:a}\n", x); }
  void operator()(bool x) { text_ += x ? "1\n" : "0\n"; }
  void operator()(int x) { text_ += fmt::format("{}\n", x); }
  void operator()(std::size_t x) { text_ += fmt::format("{}\n", x); }
  void operator()(const Vector& x) {
    (*this)(x.size());
    for (double value : x) (*this)(value);
  }
  void operator()(const Matrix& x) {
    (*this)(x.rows() * x.cols());
    for (std::size_t i = 0; i < x.rows() * x.cols(); ++i) (*this)(x.data()[i]);
  }
  std::string text_ = std::string(magic) + "\n";
};

class Reader {
 public:
  explicit Reader(const std::string& text) : stream_(text) {
    if (word() != magic) throw Misuse("this is no checkpoint of a run, or one of another version");
  }
  void operator()(double& x) { x = number(); }
  void operator()(bool& x) { x = number() != 0.0; }
  void operator()(int& x) { x = static_cast<int>(number()); }
  void operator()(std::size_t& x) { x = static_cast<std::size_t>(number()); }
  void operator()(Vector& x) {
    expect(x.size());
    for (double& value : x) value = number();
  }
  void operator()(Matrix& x) {
    expect(x.rows() * x.cols());
    for (std::size_t i = 0; i < x.rows() * x.cols(); ++i) x.data()[i] = number();
  }

 private:
  std::string word() {
    std::string result;
    if (!(stream_ >> result)) throw Misuse("the checkpoint ends too early");
    return result;
  }
  double number() {
    const std::string text = word();
    char* end = nullptr;
    const double x = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0')
      throw Misuse(fmt::format("the checkpoint has '{}' where a number should be", text));
    return x;
  }
  void expect(std::size_t size) {
    if (static_cast<std::size_t>(number()) != size)
      throw Misuse("the checkpoint belongs to equations or options of another size");
  }
  std::istringstream stream_;
};

}  // namespace

template <class Self, class Visitor>
void AdaptiveRadau::visit_memory(Self& self, Visitor&& visit) {
  auto all = [&](auto&... member) { (visit(member), ...); };
  all(self.x_, self.base_, self.correction_, self.last_increments_, self.jacobian_x_, self.jacobian_slope_,
      self.jacobian_t_);
  all(self.t_, self.end_, self.h_, self.last_h_, self.faccon_, self.accepted_h_, self.accepted_error_);
  all(self.last_stages_, self.since_order_change_, self.newton_failures_, self.attempts_);
  all(self.finished_, self.first_, self.rejected_, self.last_, self.start_from_zero_, self.need_jacobian_,
      self.need_factors_, self.jacobian_is_fresh_);
  auto& s = self.statistics_;
  all(s.steps, s.newton_iterations, s.evaluations, s.jacobians, s.factorisations, s.rejected_by_error,
      s.rejected_by_newton, s.rejected_by_projection, s.order_raised, s.order_lowered, s.jacobians_slow_newton,
      s.jacobians_after_failure);
}

std::string AdaptiveRadau::checkpoint() const {
  Writer writer;
  writer(radau_.stages());
  visit_memory(*this, writer);
  return writer.text_;
}

// The Jacobian and its factorisations are computed again where they were computed: the same numbers.
AdaptiveRadau::AdaptiveRadau(const Equations& equations, const RadauOptions& options, const Tolerance& tolerance,
                             const std::string& checkpoint)
    : AdaptiveRadau(equations, options, tolerance) {
  Reader reader(checkpoint);
  int stages = 0;
  reader(stages);
  if (stages < options.least_stages || stages > options.most_stages)
    throw Misuse("the checkpoint was made with other options");
  set_stages(stages);
  visit_memory(*this, reader);
  if (!need_jacobian_) {
    stage_equations_->linearise(jacobian_t_, jacobian_x_, jacobian_slope_);
    if (!need_factors_) radau_.factorise(h_);
  }
}

}  // namespace driftless
