// Runs steps with equal operations in groups: a branch per group instead of one per step, which the processor would
// mispredict nearly every time.
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "driftless/core/scratch.h"
#include "driftless/expression/engine.h"
#include "driftless/expression/operations.h"

namespace driftless {

namespace {

constexpr std::size_t kinds = static_cast<std::size_t>(Op::select) + 2;
constexpr std::size_t sine_and_cosine = kinds - 1;

std::size_t kind_of(const Tape::Step& step) {
  return step.with_cosine ? sine_and_cosine : static_cast<std::size_t>(step.op);
}

// Results of a group are consecutive values; a step may use results of earlier steps of its own group.
struct Group {
  std::size_t kind;
  std::uint32_t steps;
};

class Interpreter final : public ExecutionEngine {
 public:
  explicit Interpreter(const Tape& tape);
  void run(const double* inputs, double* const* outputs, const double* parameters) const override;

 private:
  friend class Grouping;
  std::vector<std::uint32_t> slots_;
  std::vector<double> constants_;
  std::vector<Tape::Parameter> parameters_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> operands_;
  std::vector<std::uint32_t> outputs_, part_begin_;
  std::size_t values_;
};

// Greedy list scheduling: always the kind with most steps whose operands are known, until none of it is left.
class Grouping {
 public:
  Grouping(const Tape& tape, Interpreter& target);
  void run();

 private:
  void find_users();
  void execute(std::uint32_t step);
  void release_users(std::uint32_t value);

  const Tape& tape_;
  Interpreter& target_;
  std::vector<std::uint32_t> first_user_, users_;  // by value, in one list
  std::vector<std::uint8_t> waiting_for_;          // by step: operands not yet known
  std::vector<std::uint32_t> number_;              // by value of the tape: value of the interpreter
  std::array<std::vector<std::uint32_t>, kinds> ready_;
  std::uint32_t next_ = 0;
};

Grouping::Grouping(const Tape& tape, Interpreter& target)
    : tape_(tape),
      target_(target),
      waiting_for_(tape.steps.size(), 0),
      number_(tape.values),
      next_(tape.first_result()) {
  for (std::uint32_t value = 0; value < tape.first_result(); ++value) number_[value] = value;
  find_users();
}

void Grouping::find_users() {
  const std::uint32_t leaves = tape_.first_result();
  first_user_.assign(tape_.values + 1, 0);
  for (const auto& step : tape_.steps)
    for (int k = 0; k < step.operands(); ++k) ++first_user_[step.operand[k] + 1];
  for (std::size_t value = 0; value < tape_.values; ++value) first_user_[value + 1] += first_user_[value];
  users_.resize(first_user_.back());
  std::vector<std::uint32_t> fill(first_user_.begin(), first_user_.end() - 1);
  for (std::uint32_t index = 0; index < tape_.steps.size(); ++index) {
    const auto& step = tape_.steps[index];
    for (int k = 0; k < step.operands(); ++k) {
      users_[fill[step.operand[k]]++] = index;
      if (step.operand[k] >= leaves) ++waiting_for_[index];
    }
    if (waiting_for_[index] == 0) ready_[kind_of(step)].push_back(index);
  }
}

void Grouping::release_users(std::uint32_t value) {
  for (std::uint32_t at = first_user_[value]; at < first_user_[value + 1]; ++at) {
    const std::uint32_t user = users_[at];
    if (--waiting_for_[user] == 0) ready_[kind_of(tape_.steps[user])].push_back(user);
  }
}

void Grouping::execute(std::uint32_t index) {
  const auto& step = tape_.steps[index];
  for (int k = 0; k < step.operands(); ++k) target_.operands_.push_back(number_[step.operand[k]]);
  for (int k = 0; k < step.results(); ++k) {
    number_[step.result + static_cast<std::uint32_t>(k)] = next_++;
    release_users(step.result + static_cast<std::uint32_t>(k));
  }
}

void Grouping::run() {
  for (std::size_t done = 0; done < tape_.steps.size();) {
    std::size_t kind = 0;
    for (std::size_t other = 1; other < kinds; ++other)
      if (ready_[other].size() > ready_[kind].size()) kind = other;
    std::uint32_t steps = 0;
    for (; steps < ready_[kind].size(); ++steps) execute(ready_[kind][steps]);
    ready_[kind].clear();
    target_.groups_.push_back({kind, steps});
    done += steps;
  }
  for (const std::uint32_t value : tape_.outputs) target_.outputs_.push_back(number_[value]);
}

Interpreter::Interpreter(const Tape& tape)
    : slots_(tape.slots),
      constants_(tape.constants),
      parameters_(tape.parameters),
      part_begin_(tape.part_begin),
      values_(tape.values) {
  Grouping(tape, *this).run();
}

// A position in the lists of operands and results, moved on by each group.
struct Cursor {
  const std::uint32_t* operand;
  double* result;

  template <class F>
  void unary(std::uint32_t steps, const double* values, F f) {
    for (std::uint32_t i = 0; i < steps; ++i) result[i] = f(values[operand[i]]);
    operand += steps;
    result += steps;
  }
  template <class F>
  void binary(std::uint32_t steps, const double* values, F f) {
    for (std::uint32_t i = 0; i < steps; ++i) result[i] = f(values[operand[2 * i]], values[operand[2 * i + 1]]);
    operand += 2 * std::size_t{steps};
    result += steps;
  }
  void select(std::uint32_t steps, const double* values) {
    for (std::uint32_t i = 0; i < steps; ++i, operand += 3)
      result[i] = values[operand[values[operand[0]] != 0.0 ? 1 : 2]];
    result += steps;
  }
  void sine_and_cosine(std::uint32_t steps, const double* values) {
    for (std::uint32_t i = 0; i < steps; ++i) {
      const double argument = values[operand[i]];
      result[2 * i] = std::sin(argument);
      result[2 * i + 1] = std::cos(argument);
    }
    operand += steps;
    result += 2 * std::size_t{steps};
  }
};

using RunGroup = void (*)(Cursor&, std::uint32_t, const double*);

template <Op op>
void run_group(Cursor& cursor, std::uint32_t steps, const double* values) {
  if constexpr (op == Op::select)
    cursor.select(steps, values);
  else if constexpr (op >= Op::add)
    cursor.binary(steps, values, [](double a, double b) { return compute(op, a, b); });
  else
    cursor.unary(steps, values, [](double a) { return compute(op, a); });
}

template <std::size_t... op>
constexpr std::array<RunGroup, kinds> group_table(std::index_sequence<op...>) {
  return {run_group<static_cast<Op>(op)>...,
          [](Cursor& cursor, std::uint32_t steps, const double* values) { cursor.sine_and_cosine(steps, values); }};
}
constexpr auto run_group_of = group_table(std::make_index_sequence<kinds - 1>());

void Interpreter::run(const double* inputs, double* const* outputs, const double* parameters) const {
  Scratch scratch;
  double* const values = &scratch.take<Unset>(values_ + 1)[0].value;
  double* next = values;
  for (const std::uint32_t slot : slots_) *next++ = inputs[slot];
  if (!constants_.empty()) std::memcpy(next, constants_.data(), constants_.size() * sizeof(double));
  for (const Tape::Parameter& one : parameters_) next[one.constant] = parameters[one.place];
  Cursor cursor{operands_.data(), next + constants_.size()};
  for (const Group& group : groups_) run_group_of[group.kind](cursor, group.steps, values);
  for (std::size_t part = 0; part < part_begin_.size(); ++part) {
    const std::size_t end = part + 1 < part_begin_.size() ? part_begin_[part + 1] : outputs_.size();
    double* out = outputs[part];
    for (std::size_t k = part_begin_[part]; k < end; ++k) *out++ = values[outputs_[k]];
  }
}

}  // namespace

std::unique_ptr<ExecutionEngine> make_interpreter(const Tape& tape) { return std::make_unique<Interpreter>(tape); }

}  // namespace driftless
