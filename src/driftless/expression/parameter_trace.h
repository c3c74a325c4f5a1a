// How numbers of a model were computed from its parameters, and which decisions were made on the way. With other values
// of the parameters the same steps give the numbers that reading and analysing the model again would give, as long as
// all decisions stay the same.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

class ParameterTrace {
 public:
  using Id = std::uint32_t;

  ParameterTrace();

  // A parameter whose value is `usual` unless it is set. Its number is parameters() before the call.
  Number parameter(Number usual);
  std::size_t parameters() const { return usual_.size(); }

  Id node(Op op, Number a, Number b = {}, Number c = {});
  void guard(Id node);  // has to keep its value
  // Whether a number has to be computed again for other values. What was pinned while the model was read, such as a
  // size, does not, nor does what follows from it. What is pinned later does, so that nothing depends on the order in
  // which programs are made.
  bool varies(Number a) const { return a.depends() && !fixed_[a.origin()]; }
  void reading_is_done() { reading_ = false; }
  // Whether a number is zero, a sum to rounding: what is left where terms cancel depends on the last digits. Recorded.
  bool vanishes(Id node);
  std::size_t size() const { return steps_.size(); }
  std::size_t guards() const { return guards_.size(); }

  // Numbers that programs load are in a table, in the order in which programs first asked for them.
  std::uint32_t place_in_table(Id node);
  std::size_t table_size() const { return table_.size(); }

  // Grows with everything that other values of the parameters have to be checked against, or computed for.
  std::size_t version() const { return guards_.size() + table_.size(); }

  // Values of all nodes for these values of the parameters (none: the usual one), after those that are there already.
  void extend(std::vector<double>& values, std::span<const std::optional<double>> set) const;
  bool same_decisions(std::span<const double> values, std::size_t first_guard = 0) const;
  std::vector<double> table(std::span<const double> values) const;

  // Programs that are made at the same time by several threads add to it one after the other.
  std::recursive_mutex& mutex() { return mutex_; }

 private:
  struct Step {
    Op op;
    Id operand[3];
  };
  Id operand(Number a);
  Id add(Op op, Id a, Id b, Id c, double value);

  Graph pool_;                  // shares equal steps; its nodes are never looked into
  std::vector<Step> steps_;     // by node
  std::vector<double> values_;  // by node, at compilation
  std::vector<Id> usual_;       // by parameter
  std::vector<Id> guards_, table_;
  std::vector<std::uint32_t> place_;  // by node: in the table, or none
  std::vector<char> guarded_;         // by node
  std::vector<char> fixed_;           // by node: guarded while the model was read
  bool reading_ = true;
  std::recursive_mutex mutex_;
};

// What all numbers are for one choice of the parameters. Programs that are made later may ask for more of them, and may
// have decided more: the first run of such a program finds that out.
class ParameterValues {
 public:
  // None of `set`: the usual value.
  explicit ParameterValues(std::shared_ptr<ParameterTrace> trace, std::vector<std::optional<double>> set = {});

  // Whether everything that was decided so far would be decided like that.
  bool fit() const;
  // The table as programs of this version need it. Throws OtherDecision.
  const double* table(std::size_t version) const {
    return version <= version_.load(std::memory_order_acquire) ? table_.load(std::memory_order_acquire) : grow();
  }
  double of(Number number) const;
  std::vector<double> all() const;  // by node of the trace
  const std::vector<std::optional<double>>& set() const { return set_; }

 private:
  const double* grow() const;

  std::shared_ptr<ParameterTrace> trace_;
  std::vector<std::optional<double>> set_;
  mutable std::mutex mutex_;
  mutable std::vector<double> values_;               // by node
  mutable std::vector<std::vector<double>> tables_;  // older ones may be in use
  mutable std::size_t checked_ = 0;                  // guards
  mutable std::atomic<std::size_t> version_{0};
  mutable std::atomic<const double*> table_{nullptr};
};

// For these values of the parameters the model has to be compiled again.
struct OtherDecision : std::runtime_error {
  OtherDecision();
};

// While it lives, numbers of this thread are computed and compared on record.
class Tracing {
 public:
  explicit Tracing(ParameterTrace* trace);
  ~Tracing();
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

 private:
  ParameterTrace* before_;
};
ParameterTrace& active_trace();  // std::logic_error if there is none

}  // namespace driftless
