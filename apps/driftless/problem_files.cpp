#include "apps/driftless/problem_files.h"

namespace driftless::cli {

namespace {

// Problems that share a file with others; the rest have one of their own name.
struct Shared {
  const char* problem;
  const char* file;
  std::vector<std::string> settings;
};

const std::vector<Shared>& shared_files() {
  static const std::vector<Shared> files = {
      {"ascher_petzold_index2_alpha50", "ascher_petzold_index2.mo", {"alpha=50"}},
      {"chain_pendulum_2", "chain_pendulum.mo", {"n=2"}},
      {"chain_pendulum_5", "chain_pendulum.mo", {"n=5"}},
      {"chain_pendulum_10", "chain_pendulum.mo", {"n=10"}},
      {"chain_pendulum_50", "chain_pendulum.mo", {"n=50"}},
      {"closed_loop_chain_6", "closed_loop_chain.mo", {"n=6"}},
      {"closed_loop_chain_12", "closed_loop_chain.mo", {"n=12"}},
      {"heat_flux_mol_10", "heat_flux_mol.mo", {"n=10"}},
      {"heat_flux_mol_20", "heat_flux_mol.mo", {"n=20"}},
      {"lognorm_nonlinear_2", "lognorm_nonlinear.mo", {"y1=-1", "y2=0.5"}},
      {"n_four_bar_2", "n_four_bar.mo", {"n=2"}},
      {"n_four_bar_40", "n_four_bar.mo", {"n=40"}},
      {"slider_crank_flexible_a", "slider_crank_flexible.mo", {}},
      {"slider_crank_flexible_c", "slider_crank_flexible.mo", {"undeformed=true"}},
      {"stiff_spring_pendulum_eps1e-2", "stiff_spring_pendulum.mo", {"epsilon=1e-2"}},
      {"stiff_spring_pendulum_eps1e-3", "stiff_spring_pendulum.mo", {"epsilon=1e-3"}}};
  return files;
}

}  // namespace

ProblemFile problem_file(const std::string& problem) {
  for (const Shared& one : shared_files())
    if (problem == one.problem) return {one.file, one.settings};
  return {problem + ".mo", {}};
}

}  // namespace driftless::cli
