#include "driftless/analysis/geometric/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/core/require.h"
#include "driftless/integrate/integrator.h"
#include "driftless/step/stepper.h"

namespace driftless {

namespace {

class AdaptiveFlow final : public Flow {
 public:
  AdaptiveFlow(const Index2& equations, const FlowOptions& options) : equations_(equations), options_(options) {}

  std::optional<Failure> advance(double t, Span state, double duration) override {
    const auto integrator =
        make_integrator(equations_, {.tolerance = options_.tolerance, .stepping = {.limit = options_.step_limit}}, t,
                        t + duration, state);
    while (!integrator->finished())
      if (auto failure = integrator->step()) return failure;
    std::copy(integrator->state().begin(), integrator->state().end(), state.begin());
    return std::nullopt;
  }

 private:
  Equations equations_;
  FlowOptions options_;
};

class FixedFlow final : public Flow {
 public:
  FixedFlow(const Index2& equations, const FlowOptions& options)
      : stepper_(make_stepper(equations, options.discretisation->method)),
        workspace_(stepper_->make_workspace()),
        attempt_(stepper_->make_attempt()),
        h_(options.discretisation->step_size),
        limit_(options.step_limit) {
    require_positive("the step size", h_);
  }

  std::optional<Failure> advance(double t, Span state, double duration) override {
    const std::size_t steps = steps_in(duration, h_);
    if (steps > limit_)
      return Failure{.kind = FailureKind::too_many_steps,
                     .time = t,
                     .what_happened = fmt::format("{} steps of size {:.3g}, but the limit is {}", steps, h_, limit_),
                     .what_to_try = "larger steps",
                     .where = ""};
    const double h = duration / static_cast<double>(steps);
    for (std::size_t i = 0; i < steps; ++i) {
      if (auto failure = stepper_->attempt(t + static_cast<double>(i) * h, state, h, *workspace_, attempt_))
        return failure;
      std::copy(attempt_.state.begin(), attempt_.state.end(), state.begin());
    }
    return std::nullopt;
  }

 private:
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<Stepper::Workspace> workspace_;
  Attempt attempt_;
  double h_;
  std::size_t limit_;
};

}  // namespace

std::size_t steps_in(double duration, double step_size) {
  return static_cast<std::size_t>(std::max(1.0, std::round(std::abs(duration) / step_size)));
}

std::unique_ptr<Flow> make_flow(const Index2& equations, const FlowOptions& options) {
  require_at_least<std::size_t>(1, "step_limit", options.step_limit);
  if (options.discretisation) return std::make_unique<FixedFlow>(equations, options);
  return std::make_unique<AdaptiveFlow>(equations, options);
}

}  // namespace driftless
