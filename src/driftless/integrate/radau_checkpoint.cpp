#include "driftless/integrate/adaptive_radau.h"
#include "driftless/integrate/checkpoint.h"

namespace driftless {

template <class Self, class Visitor>
void AdaptiveRadau::visit_memory(Self& self, Visitor&& visit) {
  auto all = [&](auto&... member) { (visit(member), ...); };
  all(self.x_, self.base_, self.correction_, self.last_increments_, self.jacobian_x_, self.jacobian_slope_,
      self.jacobian_t_);
  all(self.t_, self.end_, self.h_, self.last_h_, self.faccon_, self.accepted_h_, self.accepted_error_,
      self.failed_below_);
  all(self.last_stages_, self.since_order_change_, self.newton_failures_, self.attempts_);
  all(self.newton_limits_, self.limits_wanted_, self.steps_coupled_, self.next_probe_);
  all(self.finished_, self.first_, self.rejected_, self.last_, self.start_from_zero_, self.need_jacobian_,
      self.need_factors_, self.jacobian_is_fresh_);
  KinkLeap::visit_memory(self.kink_, visit);
  visit(self.statistics_);
}

std::string AdaptiveRadau::checkpoint() const {
  CheckpointWriter writer("radau");
  writer(radau_.is_coupled());
  writer(radau_.stages());
  visit_memory(*this, writer);
  return writer.text();
}

// The Jacobian and its factorisations are computed again where they were computed: the same numbers.
AdaptiveRadau::AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, const std::string& checkpoint)
    : AdaptiveRadau(equations, options) {
  CheckpointReader reader(checkpoint, "radau");
  bool coupled = false;
  int stages = 0;
  reader(coupled);
  reader(stages);
  radau_.couple(coupled);
  if (stages < options_.least_stages || stages > options_.most_stages)
    throw Misuse("the checkpoint was made with other options");
  set_stages(stages);
  visit_memory(*this, reader);
  // What the manifold remembers from the end of the last step: it is settled again from where it came from.
  if (last_stages_ > 0) {
    for (std::size_t i = 0; i < extended_; ++i)
      next_[i] = base_[i] + last_increments_(i, static_cast<std::size_t>(last_stages_ - 1));
    project_and_set_multipliers(t_);
  }
  if (!need_jacobian_) {
    stage_equations_->linearise(jacobian_t_, jacobian_x_, jacobian_slope_);
    if (!need_factors_) radau_.factorise(h_);
  }
}

}  // namespace driftless
