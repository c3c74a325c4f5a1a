#include "driftless/modelfile/flatten/algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace driftless {

AlgorithmRun::AlgorithmRun(Context& context, Evaluator& evaluator, Frame& frame, AlgorithmHost* host)
    : context_(context), evaluator_(evaluator), tree_(context.tree), frame_(frame), host_(host) {}

void AlgorithmRun::run(const std::vector<Statement>& statements) {
  const Evaluator::Scope scope(evaluator_);
  path_base_ = evaluator_.path().size();
  const Flow flow = run_block(statements);
  fold(returns_, flow != Flow::dead, statements.empty() ? SourceRange{} : statements.back().range);
  returns_.clear();
}

AlgorithmRun::Flow AlgorithmRun::run_block(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) {
    const Flow flow = run_statement(statement);
    if (flow != Flow::normal) return flow;
  }
  return Flow::normal;
}

AlgorithmRun::Flow AlgorithmRun::run_statement(const Statement& statement) {
  const Evaluator::Depth depth(evaluator_, statement.range);
  context_.charge(1, statement.range);
  switch (statement.kind) {
    case Statement::Kind::assignment:
    case Statement::Kind::call: {
      const Evaluator::Scope scope(evaluator_);
      if (!alive_.is_constant()) evaluator_.path().push_back({alive_, false});
      if (statement.kind == Statement::Kind::call) {
        run_call(statement);
      } else {
        run_assignment(statement);
      }
      return Flow::normal;
    }
    case Statement::Kind::choice: return run_choice(statement);
    case Statement::Kind::loop: return run_for(statement);
    case Statement::Kind::repeat: return run_while(statement);
    case Statement::Kind::leave: return escape(leaves_, Flow::left);
    case Statement::Kind::give_back: return escape(returns_, Flow::returned);
    case Statement::Kind::when:
      if (host_ == nullptr) Context::fail(statement.range, "a function may not use 'when'");
      host_->run_when(statement);
      return Flow::normal;
    default: Context::fail(statement.range, "this is no statement of an algorithm");
  }
}

// break and return: at once if every path is here, otherwise remembered for those that are.
AlgorithmRun::Flow AlgorithmRun::escape(std::vector<Escape>& escapes, Flow flow) {
  if (open_branches_ == 0 && alive_.is_constant()) return flow;
  escape_where(Scalar::of(1.0), escapes);
  return Flow::dead;
}

void AlgorithmRun::escape_where(Scalar condition, std::vector<Escape>& escapes) {
  const Arithmetic& arithmetic = context_.arithmetic;
  const Scalar reached = arithmetic.logical_and(evaluator_.path_condition(path_base_), alive_);
  Escape here{arithmetic.logical_and(reached, condition), {}};
  alive_ = arithmetic.logical_and(alive_, arithmetic.logical_not(here.condition));
  for (const Local& local : frame_.locals) here.values.push_back(local.value);
  escapes.push_back(std::move(here));
}

// The paths that escaped meet the one that is still here, if any is. Their conditions exclude each other.
void AlgorithmRun::fold(const std::vector<Escape>& escapes, bool alive, SourceRange range) {
  for (std::size_t k = escapes.size(); k-- > 0;) {
    for (std::size_t i = 0; i < frame_.locals.size(); ++i) {
      Local& local = frame_.locals[i];
      const bool base = !alive && k + 1 == escapes.size();
      local.value = base ? escapes[k].values[i]
                         : select(escapes[k].condition, escapes[k].values[i], local.value, range, local.name);
    }
  }
}

Value AlgorithmRun::select(Scalar condition, const Value& yes, const Value& no, SourceRange range, std::uint32_t name) {
  if (yes.dims() != no.dims()) {
    Context::fail(range, fmt::format("'{}' would have size {} or {}, depending on a condition that changes",
                                     tree_.names.text(name), to_text(yes.dims()), to_text(no.dims())));
  }
  if (yes.base() == BaseType::record && !(yes.type() == no.type()))
    Context::fail(range, fmt::format("'{}' would have fields of different sizes, depending on a condition that changes",
                                     tree_.names.text(name)));
  const auto a = yes.elements(), b = no.elements();
  std::vector<Scalar> merged(a.size());
  context_.charge(merged.size(), range);
  const bool text = yes.base() == BaseType::string;
  for (std::size_t i = 0; i < merged.size(); ++i) {
    if (text && !(a[i] == b[i])) Context::fail(range, "strings cannot be chosen by a condition that changes");
    merged[i] = context_.arithmetic.select(condition, a[i], b[i]);
  }
  return {yes.type(), yes.dims(), std::move(merged), yes.width()};
}

// Declared values that no one has needed yet are found first: a branch that assigns must not take them from the others.
AlgorithmRun::State AlgorithmRun::save(const std::vector<std::size_t>& locals) {
  State state;
  for (const std::size_t index : locals) {
    Local& local = frame_.locals[index];
    if (local.pending) evaluator_.evaluate_pending(local, local.declaration->value);
    state.emplace_back(index, local.value);
  }
  return state;
}

void AlgorithmRun::restore(const State& state) {
  for (const auto& [index, value] : state) frame_.locals[index].value = value;
}

// if: branches whose condition is known are taken or left out; the others are all run.
AlgorithmRun::Flow AlgorithmRun::run_choice(const Statement& statement) {
  const Evaluator::Scope scope(evaluator_);
  if (!alive_.is_constant()) evaluator_.path().push_back({alive_, false});
  std::vector<Outcome> outcomes;
  State before;
  bool decided = false;
  for (const Statement::Branch& branch : statement.branches) {
    Scalar condition = Scalar::of(1.0);
    if (branch.condition != no_node) {
      condition = evaluator_.evaluate_scalar(branch.condition, BaseType::boolean, "the condition of 'if'");
    }
    if (condition.is_constant(0.0)) continue;
    decided = condition.is_constant();
    if (decided && outcomes.empty()) return run_block(branch.body);
    if (outcomes.empty()) {
      std::vector<std::size_t> assigned;
      for (const Statement::Branch& each : statement.branches) collect_assigned(each.body, assigned);
      std::sort(assigned.begin(), assigned.end());
      assigned.erase(std::unique(assigned.begin(), assigned.end()), assigned.end());
      before = save(assigned);
      evaluator_.mode().guarded = true;
    }
    if (!decided) evaluator_.path().push_back({condition, false});
    ++open_branches_;
    Outcome outcome{condition, run_guarded([&] { return run_block(branch.body); }), {}};
    --open_branches_;
    for (const auto& [index, value] : before) outcome.state.emplace_back(index, frame_.locals[index].value);
    outcomes.push_back(std::move(outcome));
    restore(before);
    if (decided) break;
    evaluator_.path().back().negated = true;
  }
  if (outcomes.empty()) return Flow::normal;
  if (!decided) outcomes.push_back({Scalar::of(1.0), Flow::normal, before});
  return join(std::move(outcomes), statement.range);
}

AlgorithmRun::Flow AlgorithmRun::join(std::vector<Outcome> outcomes, SourceRange range) {
  bool alive = false;
  State state;
  for (std::size_t k = outcomes.size(); k-- > 0;) {
    if (outcomes[k].flow != Flow::normal) continue;
    if (alive) {
      merge(outcomes[k].state, outcomes[k].condition, state, range);
    } else {
      state = std::move(outcomes[k].state);
    }
    alive = true;
  }
  if (!alive) return Flow::dead;
  restore(state);
  return Flow::normal;
}

void AlgorithmRun::merge(const State& yes, Scalar condition, State& no, SourceRange range) {
  for (std::size_t i = 0; i < no.size(); ++i) {
    no[i].second = select(condition, yes[i].second, no[i].second, range, frame_.locals[no[i].first].name);
  }
}

AlgorithmRun::Loop AlgorithmRun::begin_loop() {
  return {std::exchange(leaves_, {}), returns_.size(), alive_, open_loops_};
}

AlgorithmRun::Flow AlgorithmRun::run_for(const Statement& statement) {
  Loop before = begin_loop();
  const Flow flow = run_loop(statement, 0);
  return finish_loop(flow, std::move(before), statement.range);
}

// for i in ..., j in ...: the first index is the outermost.
AlgorithmRun::Flow AlgorithmRun::run_loop(const Statement& statement, std::size_t iterator) {
  const std::vector<Statement>& body = statement.branches[0].body;
  if (iterator == statement.iterators.size()) return run_block(body);
  const NodeId node = statement.iterators[iterator];
  if (const auto open = evaluator_.open_range(node)) return run_open_for(statement, iterator, *open);
  for (Value& value : evaluator_.range_values(node, &body, no_node)) {
    context_.charge(1, statement.range);
    const Evaluator::Iterating iterating(evaluator_, tree_.node(node).text, std::move(value));
    const Flow flow = run_loop(statement, iterator + 1);
    if (flow != Flow::normal) return flow;
  }
  return Flow::normal;
}

// Whether the loop goes on for somebody; those for whom it does not leave it.
bool AlgorithmRun::next_round(Scalar condition, int round, SourceRange range) {
  if (condition.is_constant()) return !condition.is_constant(0.0);
  constexpr int fewest = 8, narrower = 20;  // rounds of loops inside of loops multiply
  if (round == 0) ++open_loops_;
  int most = context_.limits.rounds;
  for (int level = 1; level < open_loops_; ++level) most = std::max(fewest, most / narrower);
  escape_where(context_.arithmetic.logical_not(condition), leaves_);
  if (round < most) return true;
  const Evaluator::Scope scope(evaluator_);
  evaluator_.path().push_back({alive_, false});
  evaluator_.require(Scalar::of(0.0), fmt::format("a loop does not end after {} rounds", most), range);
  return false;
}

AlgorithmRun::Flow AlgorithmRun::run_while(const Statement& statement) {
  Loop before = begin_loop();
  const Statement::Branch& branch = statement.branches[0];
  Flow flow = Flow::normal;
  for (int round = 0; flow == Flow::normal;) {
    Scalar condition;
    flow = run_guarded([&] {
      const Evaluator::Scope scope(evaluator_);
      if (!alive_.is_constant()) evaluator_.path().push_back({alive_, false});
      condition = evaluator_.evaluate_scalar(branch.condition, BaseType::boolean, "the condition of 'while'");
      return Flow::normal;
    });
    if (flow == Flow::dead || condition.is_constant(0.0)) break;
    if (!next_round(condition, round, tree_.range(branch.condition))) {
      flow = Flow::dead;
      break;
    }
    if (!condition.is_constant()) ++round;
    flow = run_guarded([&] { return run_block(branch.body); });
  }
  return finish_loop(flow, std::move(before), statement.range);
}

// for i in 1:n with an n that changes.
AlgorithmRun::Flow AlgorithmRun::run_open_for(const Statement& statement, std::size_t iterator,
                                              const Evaluator::OpenRange& range) {
  const Arithmetic& arithmetic = context_.arithmetic;
  const NodeId node = statement.iterators[iterator];
  Loop before = begin_loop();
  Flow flow = Flow::normal;
  for (int round = 0; flow == Flow::normal; ++round) {
    context_.charge(1, statement.range);
    const Scalar index = arithmetic.add(range.from, Scalar::of(round * range.step));
    const bool upwards = range.step > 0.0;
    const Scalar condition = arithmetic.apply(Op::less_equal, upwards ? index : range.to, upwards ? range.to : index);
    if (condition.is_constant(0.0)) break;
    if (!next_round(condition, round, tree_.range(node))) {
      flow = Flow::dead;
      break;
    }
    const Evaluator::Iterating iterating(evaluator_, tree_.node(node).text, Value(range.type, index));
    flow = run_guarded([&] { return run_loop(statement, iterator + 1); });
  }
  return finish_loop(flow, std::move(before), statement.range);
}

// In a loop that is unrolled further than a run may go, a subscript out of range says that none gets there.
AlgorithmRun::Flow AlgorithmRun::run_guarded(const std::function<Flow()>& block) {
  if (open_loops_ == 0) return block();
  std::vector<Local> locals = frame_.locals;
  const std::size_t leaves = leaves_.size(), returns = returns_.size();
  const int open_branches = open_branches_, open_loops = open_loops_;
  const Scalar alive = alive_;
  try {
    return block();
  } catch (const SubscriptError& error) {
    frame_.locals = std::move(locals);
    leaves_.resize(leaves);
    returns_.resize(returns);
    open_branches_ = open_branches;
    open_loops_ = open_loops;
    alive_ = alive;
    const Evaluator::Scope scope(evaluator_);
    evaluator_.path().push_back({alive_, false});
    evaluator_.require(Scalar::of(0.0), error.message, error.range);
    return Flow::dead;
  }
}

// Those who left the loop are together again with those who went through it; those who returned are gone.
AlgorithmRun::Flow AlgorithmRun::finish_loop(Flow flow, Loop before, SourceRange range) {
  const std::vector<Escape> leaves = std::exchange(leaves_, std::move(before.leaves));
  open_loops_ = before.open_loops;
  const Arithmetic& arithmetic = context_.arithmetic;
  alive_ = before.alive;
  for (std::size_t k = before.returns; k < returns_.size(); ++k) {
    alive_ = arithmetic.logical_and(alive_, arithmetic.logical_not(returns_[k].condition));
  }
  if (flow == Flow::returned) return flow;
  const bool alive = flow != Flow::dead;
  if (!alive && leaves.empty()) return Flow::dead;
  fold(leaves, alive, range);
  return Flow::normal;
}

}  // namespace driftless
