// The peers on a problem: each code in every form that suits it, with the settings that are best for it.
#include <fmt/format.h>

#include <stdexcept>

#include "bench/contestants.h"
#include "bench/peers/ida.h"
#include "driftless/equations/manifold.h"

namespace bench {

namespace {

using driftless::Vector;

// Where a band is so narrow that it pays.
bool band_pays(int lower, int upper, int size) { return 3 * (lower + upper) < size; }

class Peers {
 public:
  Peers(const BenchProblem& problem, const DeSolve* desolve) : problem_(problem), desolve_(desolve) {}

  void radau(const std::string& form, std::shared_ptr<LinearlyImplicit> system) {
    if (!desolve_) return;
    add("RADAU5 " + form, [code = *desolve_, system, &p = problem_](double tolerance, double seconds) {
      return code.radau5(*system, p.begin, p.end, tolerance, p.radau_first_step, seconds);
    });
  }
  void daspk(const std::string& form, std::shared_ptr<FullyImplicit> system, double first_step) {
    if (!desolve_) return;
    add("DASPK " + form, [code = *desolve_, system, first_step, &p = problem_](double tolerance, double seconds) {
      return code.daspk(*system, p.begin, p.end, tolerance, first_step, seconds);
    });
  }
  void ida(const std::string& form, std::shared_ptr<FullyImplicit> system, double first_step) {
    if (!ida_is_here()) return;
    add("IDA " + form, [system, first_step, &p = problem_](double tolerance, double seconds) {
      return bench::ida(*system, p.begin, p.end, tolerance, first_step, seconds);
    });
  }
  std::vector<Contestant> all() && { return std::move(all_); }

 private:
  void add(const std::string& name, std::function<Outcome(double, double)> run) {
    all_.push_back({name, false, std::move(run)});
  }
  const BenchProblem& problem_;
  const DeSolve* desolve_;
  std::vector<Contestant> all_;
};

std::string name_of(Form form, double rate) {
  switch (form) {
    case Form::index3: return "index 3";
    case Form::ggl: return "GGL";
    case Form::index1: return "index 1";
    default: return fmt::format("Baumgarte {}", rate);
  }
}

void add_radau_forms(Peers& peers, Mechanism& mechanism, const MechanismStart& start) {
  for (const Form form : {Form::index3, Form::index1}) {
    peers.radau(name_of(form, 0.0), radau_system(mechanism, start, {.form = form, .second_order = false}));
    peers.radau(name_of(form, 0.0) + ", M1", radau_system(mechanism, start, {.form = form}));
    peers.radau(name_of(form, 0.0) + ", M1, J of M and G",
                radau_system(mechanism, start, {.form = form, .approximate = true}));
  }
  peers.radau("GGL", radau_system(mechanism, start, {.form = Form::ggl}));
  std::shared_ptr<LinearlyImplicit> band = radau_system(mechanism, start, {.form = Form::index1, .band = true});
  if (band_pays(band->lower(), band->upper(), band->size())) peers.radau("index 1, band", band);
}

void add_residual_forms(Peers& peers, const BenchProblem& problem, const MechanismStart& start, Form form,
                        double rate) {
  Mechanism& mechanism = *problem.mechanism;
  const double first_step = form == Form::ggl ? problem.ggl_first_step : problem.multistep_first_step;
  const auto system = [&](Storage storage) -> std::shared_ptr<FullyImplicit> {
    return residual_system(mechanism, start, {form, storage, rate});
  };
  const std::string name = name_of(form, rate);
  constexpr int most_dense = 120;  // beyond that KLU is an order of magnitude faster
  if (problem.start.size() <= most_dense) peers.ida(name + ", dense", system(Storage::dense), first_step);
  peers.ida(name + ", KLU", system(Storage::sparse), first_step);
  const auto band = system(Storage::band);
  const bool pays = band_pays(band->lower(), band->upper(), band->size());
  peers.daspk(pays ? name + ", band" : name, pays ? band : system(Storage::dense), first_step);
}

}  // namespace

MechanismStart start_of(const BenchProblem& problem) {
  const auto manifold = make_manifold(problem.equations);
  Vector slope(problem.start.size());
  if (manifold->derivative(problem.begin, problem.start, slope) != driftless::ManifoldStatus::ok)
    throw std::runtime_error("no accelerations at the start of " + problem.name);
  const auto part = [](const Vector& all, const Range& range) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(range.first);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(range.count));
  };
  return {problem.begin, part(problem.start, problem.q), part(problem.start, problem.v), part(slope, problem.v),
          part(problem.start, problem.lambda)};
}

std::vector<Contestant> peer_methods(const BenchProblem& problem, const DeSolve* desolve) {
  Peers peers(problem, desolve);
  if (problem.mechanism) {
    const MechanismStart start = start_of(problem);
    add_radau_forms(peers, *problem.mechanism, start);
    add_residual_forms(peers, problem, start, Form::ggl, 0.0);
    add_residual_forms(peers, problem, start, Form::index1, 0.0);
    for (const double rate : problem.baumgarte) add_residual_forms(peers, problem, start, Form::baumgarte, rate);
  } else {
    peers.radau("as stated", radau_system(*problem.system));
    if (problem.hinted) peers.radau("index-3 hints", radau_system(*problem.hinted));
    peers.ida("dense", residual_system(*problem.system, Storage::dense), problem.multistep_first_step);
    peers.ida("KLU", residual_system(*problem.system, Storage::sparse), problem.multistep_first_step);
    peers.daspk("as stated", residual_system(*problem.system, Storage::dense), problem.multistep_first_step);
  }
  return std::move(peers).all();
}

}  // namespace bench
