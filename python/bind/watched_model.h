// A model with further events: functions whose zeros are looked for, that may end the run or change the state.
#pragma once

#include <functional>
#include <memory>

#include "driftless/simulate/model.h"

namespace driftless::python {

struct Watcher {
  std::string name;
  Direction direction = Direction::any;
  std::size_t ends_after = 0;  // so many occurrences; 0: never
  // The state behind it, at a state of the solver in this stretch.
  std::function<void(const Stretch& stretch, double t, Span state)> jump = {};
};

// The values of all their functions together.
using Roots = std::function<void(const Stretch& stretch, double t, ConstSpan state, Span values)>;

class WatchedModel final : public Model {
 public:
  WatchedModel(std::shared_ptr<const Model> model, std::vector<Watcher> watchers, Roots roots);

  std::unique_ptr<Model> compiled_again() const override;
  Start start(double t) const override;
  std::variant<Stretch, ModelEnd> after(const Stretch& stretch, double t, ConstSpan state,
                                        const std::vector<std::size_t>& events) const override;
  std::optional<std::variant<Stretch, ModelEnd>> after_crawling(const Stretch& stretch, double t,
                                                                ConstSpan state) const override;
  std::variant<Stretch, ModelEnd> finish(const Stretch& last, double t, ConstSpan state) const override;
  bool finishes() const override { return model_->finishes(); }
  bool has_events() const override { return true; }
  bool is_state(const std::string& component) const override { return model_->is_state(component); }

  // Occurrences that the solver did not see, as the run ended a stretch there for another reason: (which, when).
  const std::vector<std::pair<std::size_t, double>>& beside_others() const { return beside_others_; }

 private:
  Stretch watched(Stretch stretch) const;
  std::variant<Stretch, ModelEnd> watched(std::variant<Stretch, ModelEnd> next) const;

  std::shared_ptr<const Model> model_;
  std::vector<Watcher> watchers_;
  Roots roots_;
  std::vector<std::size_t> at_zero(const Stretch& stretch, double t, ConstSpan state) const;

  mutable std::vector<std::pair<std::size_t, double>> beside_others_;
  mutable std::vector<std::size_t> seen_;  // of the run that goes on; each run has a model of its own
};

}  // namespace driftless::python
