// Algorithms, run with formulas instead of numbers: what they compute becomes expressions.
#pragma once

#include <functional>

#include "driftless/modelfile/flatten/evaluator.h"

namespace driftless {

// Statements that only algorithms of models have.
class AlgorithmHost {
 public:
  virtual ~AlgorithmHost() = default;
  virtual void run_when(const Statement& statement) = 0;
  virtual void run_reinit(NodeId call) = 0;
  virtual void run_terminate(NodeId call) = 0;
};

// Runs statements on the frame of the evaluator. Loops are unrolled; where a condition is not known before the run,
// both branches are run and what they assign is merged. A path that leaves a loop or a function early is kept with the
// condition that leads to it, and merged where the paths meet again. A loop whose end is known in the run only is
// unrolled for a limited number of rounds; a run that needs more of them fails.
class AlgorithmRun {
 public:
  AlgorithmRun(Context& context, Evaluator& evaluator, Frame& frame, AlgorithmHost* host);

  void run(const std::vector<Statement>& statements);
  // Values of the locals that the statements assign, by index.
  using State = std::vector<std::pair<std::size_t, Value>>;
  State save(const std::vector<std::size_t>& locals);
  void restore(const State& state);
  std::vector<std::size_t> assigned_locals(const std::vector<Statement>& statements) const;

 private:
  enum class Flow { normal, left, returned, dead };  // dead: no path goes on from here
  struct Escape {
    Scalar condition;
    std::vector<Value> values;  // of all locals
  };
  struct Outcome {
    Scalar condition;  // of its branch
    Flow flow = Flow::normal;
    State state;
  };

  Flow run_block(const std::vector<Statement>& statements);
  Flow run_statement(const Statement& statement);
  Flow run_choice(const Statement& statement);
  Flow join(std::vector<Outcome> outcomes, SourceRange range);
  void merge(const State& yes, Scalar condition, State& no, SourceRange range);
  Flow run_loop(const Statement& statement, std::size_t iterator);
  Flow run_for(const Statement& statement);
  Flow run_open_for(const Statement& statement, std::size_t iterator, const Evaluator::OpenRange& range);
  Flow run_while(const Statement& statement);
  bool next_round(Scalar condition, int round, SourceRange range);
  Flow run_guarded(const std::function<Flow()>& block);
  struct Loop {  // what was so before it
    std::vector<Escape> leaves;
    std::size_t returns;
    Scalar alive;
    int open_loops;
  };
  Loop begin_loop();
  Flow finish_loop(Flow flow, Loop before, SourceRange range);
  Flow escape(std::vector<Escape>& escapes, Flow flow);
  void escape_where(Scalar condition, std::vector<Escape>& escapes);
  void fold(const std::vector<Escape>& escapes, bool alive, SourceRange range);
  Value select(Scalar condition, const Value& yes, const Value& no, SourceRange range, std::uint32_t name);
  void run_assignment(const Statement& statement);
  void assign(NodeId target, Value value, SourceRange range);
  bool reads_local(NodeId target) const;
  void run_call(const Statement& statement);
  void collect_assigned(const std::vector<Statement>& statements, std::vector<std::size_t>& locals) const;
  void collect_target(NodeId target, std::vector<std::size_t>& locals) const;

  Context& context_;
  Evaluator& evaluator_;
  const SyntaxTree& tree_;
  Frame& frame_;
  AlgorithmHost* host_;
  std::size_t path_base_ = 0;
  int open_branches_ = 0;           // whose condition is not known
  int open_loops_ = 0;              // whose end is not known
  Scalar alive_ = Scalar::of(1.0);  // whether no path that escaped is ours
  std::vector<Escape> leaves_, returns_;
};

}  // namespace driftless
