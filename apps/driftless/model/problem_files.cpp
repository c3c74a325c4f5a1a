#include "apps/driftless/model/problem_files.h"

#include <iterator>
#include <sstream>

#include "apps/driftless/model/shipped_models.h"

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
      {"reaction_diffusion_50", "reaction_diffusion.mo", {"n=50"}},
      {"slider_crank_flexible_a", "slider_crank_flexible.mo", {}},
      {"slider_crank_flexible_c", "slider_crank_flexible.mo", {"undeformed=true"}},
      {"stiff_spring_pendulum_eps1e-2", "stiff_spring_pendulum.mo", {"epsilon=1e-2"}},
      {"stiff_spring_pendulum_eps1e-3", "stiff_spring_pendulum.mo", {"epsilon=1e-3"}}};
  return files;
}

using Strings = std::vector<std::string>;

void add_numbered(Strings& names, const std::string& name, int count) {
  for (int i = 1; i <= count; ++i) names.push_back(name + "[" + std::to_string(i) + "]");
}

// x[1], y[1], x[2], ..., then the velocities.
Strings nodes(int count) {
  Strings names;
  for (const std::string prefix : {"", "v"})
    for (int i = 1; i <= count; ++i)
      for (const std::string letter : {"x", "y"}) names.push_back(prefix + letter + "[" + std::to_string(i) + "]");
  return names;
}

Strings split(const std::string& words) {
  std::istringstream stream(words);
  return {std::istream_iterator<std::string>(stream), {}};
}

bool begins(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

int last_number(const std::string& name) { return std::stoi(name.substr(name.rfind('_') + 1)); }

Strings fekete_names(bool ggl) {
  Strings names;
  for (const std::string letter : {"p", "q"})
    for (int i = 1; i <= 20; ++i)
      for (int c = 1; c <= 3; ++c) names.push_back(letter + "[" + std::to_string(i) + "," + std::to_string(c) + "]");
  add_numbered(names, "lambda", 20);
  if (ggl) add_numbered(names, "mu", 20);
  return names;
}

}  // namespace

ProblemFile problem_file(const std::string& problem) {
  for (const Shared& one : shared_files())
    if (problem == one.problem) return {one.file, one.settings};
  return {problem + ".mo", {}};
}

std::vector<std::string> names_in_model_file(const std::string& problem, const std::vector<std::string>& unknowns) {
  Strings names;
  if (begins(problem, "andrews")) {
    names = split("beta Theta gamma Phi delta Omega epsilon w_beta w_Theta w_gamma w_Phi w_delta w_Omega w_epsilon");
    add_numbered(names, "lambda", 6);
  } else if (begins(problem, "car_axis")) {
    names = split("xl yl xr yr vxl vyl vxr vyr lambda[1] lambda[2]");
  } else if (begins(problem, "chain_pendulum")) {
    names = nodes(last_number(problem));
    add_numbered(names, "lambda", last_number(problem));
  } else if (begins(problem, "charge_pump")) {
    names = split("y1 y2 y3 y4 y5 y6 y7 y8 y9");  // the other multipliers are not in the model
  } else if (begins(problem, "closed_loop_chain")) {
    names = nodes(last_number(problem) - 1);
    add_numbered(names, "lambda", last_number(problem));
  } else if (begins(problem, "fekete20")) {
    names = fekete_names(problem == "fekete20_ggl");
  } else if (begins(problem, "gradient_flow")) {
    names = split("u[1] u[2] u[3] u[4] u[5] lambda");
  } else if (begins(problem, "heat_flux")) {
    add_numbered(names, "theta", last_number(problem));
    add_numbered(names, "q", last_number(problem) - 1);
  } else if (begins(problem, "mms_index3")) {
    names = split("q[1] q[2] q[3] v[1] v[2] v[3] lambda");
  } else if (begins(problem, "n_four_bar")) {
    names = nodes(last_number(problem) + 1);
    add_numbered(names, "crank", last_number(problem) + 1);
    add_numbered(names, "coupler", last_number(problem));
  } else if (begins(problem, "reaction_diffusion")) {
    for (int i = 1; i <= last_number(problem); ++i)
      for (const std::string letter : {"u", "w"}) names.push_back(letter + "[" + std::to_string(i) + "]");
  } else if (begins(problem, "redundant")) {
    names = split("x y phi vx vy omega lambda[1] lambda[2] lambda[3]");
  } else if (begins(problem, "slider_crank")) {
    names = split("phi1 phi2 x3 q[1] q[2] q[3] q[4] w1 w2 v3 qv[1] qv[2] qv[3] qv[4]");
    add_numbered(names, "lambda", 3);
  } else if (begins(problem, "stiff_spring")) {
    names = split("x y vx vy lambda");
  } else {
    names = unknowns;
  }
  return names;
}

const char* shipped_text(const std::string& file) {
  for (const ShippedModel& model : shipped_models())
    if (file == model.file) return model.text;
  return nullptr;
}

}  // namespace driftless::cli
