#include "driftless/expression/parameter_trace.h"

#include <bit>
#include <stdexcept>

#include "driftless/expression/operations.h"

namespace driftless {

namespace {

constexpr std::uint32_t not_in_table = 0xffffffff;

thread_local ParameterTrace* trace_of_thread = nullptr;

// Of a NaN, that it is one.
bool same_value(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

}  // namespace

ParameterTrace::ParameterTrace()
    : steps_{{Op::constant, {0, 0, 0}}}, values_{0.0}, place_{not_in_table}, guarded_{0}, fixed_{0} {}

ParameterTrace::Id ParameterTrace::add(Op op, Id a, Id b, Id c, double value) {
  const Id id = op == Op::constant ? pool_.share_constant(0, value).id : pool_.share(op, a, b, c).id;
  if (id < steps_.size()) return id;
  steps_.push_back({op, {a, b, c}});
  values_.push_back(value);
  place_.push_back(not_in_table);
  guarded_.push_back(0);
  fixed_.push_back(0);
  return id;
}

ParameterTrace::Id ParameterTrace::operand(Number a) {
  if (a.depends()) return a.origin();
  const double value = a.at_compilation();
  return same_value(value, 0.0) ? 0 : add(Op::constant, 0, 0, 0, value);
}

Number ParameterTrace::parameter(Number usual) {
  const Id from = operand(usual);
  const auto number = static_cast<Id>(usual_.size());
  usual_.push_back(from);
  return Number::traced(usual.at_compilation(), add(Op::input, number, 0, 0, usual.at_compilation()));
}

ParameterTrace::Id ParameterTrace::node(Op op, Number a, Number b, Number c) {
  const int operands = arity(op);
  return add(op, operand(a), operands > 1 ? operand(b) : 0, operands > 2 ? operand(c) : 0,
             compute(op, a.at_compilation(), b.at_compilation(), c.at_compilation()));
}

void ParameterTrace::guard(Id node) {
  if (guarded_[node]) return;
  guarded_[node] = 1;
  fixed_[node] = reading_;
  guards_.push_back(node);
}

bool ParameterTrace::vanishes(Id id) {
  constexpr double rounding = 1e-14;
  const auto [op, operand] = steps_[id];
  const auto number = [&](Id of) { return Number::traced(values_[of], of); };
  const Tracing tracing(this);
  if (op != Op::add && op != Op::subtract) return number(id) == 0.0;
  return abs(number(id)) <= rounding * (abs(number(operand[0])) + abs(number(operand[1])));
}

std::uint32_t ParameterTrace::place_in_table(Id node) {
  if (place_[node] != not_in_table) return place_[node];
  place_[node] = static_cast<std::uint32_t>(table_.size());
  table_.push_back(node);
  return place_[node];
}

void ParameterTrace::extend(std::vector<double>& all, std::span<const std::optional<double>> set) const {
  std::size_t id = all.size();
  all.resize(steps_.size());
  for (; id < steps_.size(); ++id) {
    const auto& [op, operand] = steps_[id];
    if (op == Op::constant)
      all[id] = values_[id];
    else if (op == Op::input)
      all[id] = operand[0] < set.size() && set[operand[0]] ? *set[operand[0]] : all[usual_[operand[0]]];
    else
      all[id] = compute(op, all[operand[0]], all[operand[1]], all[operand[2]]);
  }
}

bool ParameterTrace::same_decisions(std::span<const double> values, std::size_t first_guard) const {
  for (std::size_t k = first_guard; k < guards_.size(); ++k)
    if (!same_value(values[guards_[k]], values_[guards_[k]])) return false;
  return true;
}

std::vector<double> ParameterTrace::table(std::span<const double> values) const {
  std::vector<double> numbers;
  numbers.reserve(table_.size());
  for (const Id node : table_) numbers.push_back(values[node]);
  return numbers;
}

OtherDecision::OtherDecision() : std::runtime_error("these values of the parameters need a compilation of their own") {}

ParameterValues::ParameterValues(std::shared_ptr<ParameterTrace> trace, std::vector<std::optional<double>> set)
    : trace_(std::move(trace)), set_(std::move(set)) {}

bool ParameterValues::fit() const {
  try {
    grow();
  } catch (const OtherDecision&) {
    return false;
  }
  return true;
}

const double* ParameterValues::grow() const {
  if (trace_ == nullptr) return nullptr;
  const std::lock_guard lock(mutex_);
  const std::lock_guard trace_lock(trace_->mutex());
  trace_->extend(values_, set_);
  if (!trace_->same_decisions(values_, checked_)) throw OtherDecision();
  checked_ = trace_->guards();
  tables_.push_back(trace_->table(values_));
  tables_.back().push_back(0.0);  // so that there is one
  table_.store(tables_.back().data(), std::memory_order_release);
  version_.store(trace_->version(), std::memory_order_release);
  return tables_.back().data();
}

double ParameterValues::of(Number number) const {
  if (!number.depends()) return number.at_compilation();
  const std::lock_guard lock(mutex_);
  if (number.origin() >= values_.size()) {
    const std::lock_guard trace_lock(trace_->mutex());
    trace_->extend(values_, set_);
  }
  return values_[number.origin()];
}

std::vector<double> ParameterValues::all() const {
  if (trace_ == nullptr) return {};
  const std::lock_guard lock(mutex_);
  const std::lock_guard trace_lock(trace_->mutex());
  trace_->extend(values_, set_);
  return values_;
}

Tracing::Tracing(ParameterTrace* trace) : before_(trace_of_thread) { trace_of_thread = trace; }
Tracing::~Tracing() { trace_of_thread = before_; }

ParameterTrace& active_trace() {
  if (trace_of_thread == nullptr) throw std::logic_error("a number that depends on parameters, computed off record");
  return *trace_of_thread;
}

}  // namespace driftless
