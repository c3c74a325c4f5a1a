// A solution while its run writes it. What is handed out in the end is the Solution, which is only read.
#pragma once

#include "driftless/integrate/solution.h"

namespace driftless {

class SolutionRecorder final : public Solution {
 public:
  SolutionRecorder(Equations equations, ConsistentStart start) : Solution(std::move(equations), std::move(start)) {}

  void append(double t, ConstSpan state);
  void fail(Failure failure) { failure_ = std::move(failure); }
  Statistics& count() { return statistics_; }
  void keep(DenseStep step) { dense_.push_back(std::move(step)); }
  void keep(EventRecord record) { events_.push_back(std::move(record)); }
  void note_moves(std::vector<StateMove> moves) { events_.back().moves = std::move(moves); }  // at the last event
  void keep(MethodChange change) { changes_.push_back(std::move(change)); }
  void certify(const Certificate& certificate) { certificate_ = certificate; }
  void warn(RunWarning warning) { warnings_.push_back(std::move(warning)); }
  void carry(ErrorBound bound) { error_bound_ = std::move(bound); }
  StepHistory& note() { return history_; }
  void restart_with(double size) { restart_size_ = size; }
  void end_by(std::string event) { ended_by_ = std::move(event); }

  Solution finish() && { return std::move(*this); }
};

}  // namespace driftless
