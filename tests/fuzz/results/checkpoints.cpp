#include "checkpoints.h"

#include <fmt/format.h>

#include "driftless/driftless.h"
#include "driftless/integrate/integrator.h"

namespace driftless::fuzz_results {

namespace {

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

constexpr AdaptiveMethod methods[] = {AdaptiveMethod::automatic, AdaptiveMethod::radau, AdaptiveMethod::dop853,
                                      AdaptiveMethod::hem4};

const Equations& pendulum() {
  static const Equations equations = mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
  return equations;
}

}  // namespace

std::vector<std::string> checkpoints() {
  std::vector<std::string> all;
  for (const AdaptiveMethod method : methods) {
    const auto start = make_consistent(pendulum(), 0.0, Vector{1.0, 0.0});
    const auto run = make_integrator(pendulum(), {.method = method}, 0.0, 10.0, start->state);
    for (int k = 0; k < 5; ++k) (void)run->step();
    all.push_back(run->checkpoint());
  }
  return all;
}

Resumed resume(const std::string& checkpoint) {
  Resumed result;
  for (const AdaptiveMethod method : methods) try {
      const auto run = resume_integrator(pendulum(), {.method = method, .stepping = {.limit = 2000}}, checkpoint);
      for (int k = 0; k < 50 && !run->finished() && !run->step(); ++k) {
      }
      result.accepted = true;
    } catch (const Misuse&) {
    } catch (const std::exception& error) {
      result.complaint = fmt::format("a checkpoint is refused by {}", error.what());
    }
  return result;
}

}  // namespace driftless::fuzz_results
