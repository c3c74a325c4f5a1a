#include "testset/problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/core/failure.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

struct Entry {
  const char* name;
  Problem (*make)();
};

constexpr Entry entries[] = {
    {"andrews_squeezer", andrews_squeezer_problem},
    {"ascher_petzold_index2", [] { return ascher_petzold_index2_problem(10.0); }},
    {"ascher_petzold_index2_alpha50", [] { return ascher_petzold_index2_problem(50.0); }},
    {"car_axis", car_axis_problem},
    {"chain_pendulum_2", [] { return chain_pendulum_problem(2); }},
    {"chain_pendulum_5", [] { return chain_pendulum_problem(5); }},
    {"chain_pendulum_10", [] { return chain_pendulum_problem(10); }},
    {"chain_pendulum_50", [] { return chain_pendulum_problem(50); }},
    {"charge_pump", charge_pump_problem},
    {"closed_loop_chain_6", [] { return closed_loop_chain_problem(6); }},
    {"closed_loop_chain_12", [] { return closed_loop_chain_problem(12); }},
    {"fekete20", fekete20_problem},
    {"fekete20_ggl", fekete20_ggl_problem},
    {"gradient_flow_sphere", gradient_flow_sphere_problem},
    {"heat_flux_mol_10", [] { return heat_flux_mol_problem(10); }},
    {"heat_flux_mol_20", [] { return heat_flux_mol_problem(20); }},
    {"hlr_index2", hlr_index2_problem},
    {"hlr_index3", hlr_index3_problem},
    {"limit_cycle_sphere", limit_cycle_sphere_problem},
    {"lognorm_linear", lognorm_linear_problem},
    {"lognorm_nonlinear", [] { return lognorm_nonlinear_problem(1); }},
    {"lognorm_nonlinear_2", [] { return lognorm_nonlinear_problem(2); }},
    {"lorenz_lifted", lorenz_lifted_problem},
    {"mms_index2_gamma", mms_index2_gamma_problem},
    {"mms_index3_nonautonomous", mms_index3_nonautonomous_problem},
    {"n_four_bar_2", [] { return n_four_bar_problem(2); }},
    {"n_four_bar_40", [] { return n_four_bar_problem(40); }},
    {"nand_gate", nand_gate_problem},
    {"pendulum_schropp", pendulum_schropp_problem},
    {"reaction_diffusion_50", [] { return reaction_diffusion_problem(50); }},
    {"redundant_parallelogram", redundant_parallelogram_problem},
    {"slider_crank_flexible_a", [] { return slider_crank_flexible_problem('a'); }},
    {"slider_crank_flexible_b", slider_crank_flexible_b_problem},
    {"slider_crank_flexible_c", [] { return slider_crank_flexible_problem('c'); }},
    {"stiff_spring_pendulum_eps1e-2", [] { return stiff_spring_pendulum_problem(1e-2); }},
    {"stiff_spring_pendulum_eps1e-3", [] { return stiff_spring_pendulum_problem(1e-3); }},
    {"transistor_amplifier", transistor_amplifier_problem},
};

}  // namespace

const std::vector<std::string>& problem_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& entry : entries) all.emplace_back(entry.name);
    return all;
  }();
  return names;
}

Problem problem(std::string_view name) {
  for (const Entry& entry : entries) {
    if (name != entry.name) continue;
    Problem made = entry.make();
    made.name = entry.name;
    return made;
  }
  throw Misuse(
      fmt::format("no reference problem is called '{}'; there are {}", name, fmt::join(problem_names(), ", ")));
}

}  // namespace driftless::testset
