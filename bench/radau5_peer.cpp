#include "bench/radau5_peer.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

// RADAU5's messages end in R's Rprintf, which crashes unless R has been started: this one is found first and keeps
// quiet.
extern "C" void Rprintf(const char*, ...) {}

namespace bench {

namespace {

using Mass = void(const int* n, double* am, const int* lmas, double* rpar, int* ipar);
using Radau5Entry = void(const int* n, PeerFunction*, double* t, double* y, const double* end, double* h,
                         const double* rtol, const double* atol, const int* itol, PeerJacobian*, const int* ijac,
                         const int* mljac, const int* mujac, Mass*, const int* imas, const int* mlmas, const int* mumas,
                         void (*solout)(), const int* iout, double* work, const int* lwork, int* iwork,
                         const int* liwork, double* rpar, int* ipar, int* idid);

// The diagonal of the rows that RADAU5 asks for; ipar[0] of them are differential.
void mass(const int* n, double* am, const int* lmas, double*, int* ipar) {
  for (int i = 0; i < *n; ++i) am[i * *lmas] = i < ipar[0] ? 1.0 : 0.0;
}

void no_output() {}

std::string find_library() {
  std::vector<std::string> folders;
  for (const char* name : {"R_LIBS", "R_LIBS_USER", "R_LIBS_SITE"})
    if (const char* value = std::getenv(name)) {
      std::string all = value;
      for (std::size_t begin = 0; begin <= all.size();) {
        const std::size_t end = std::min(all.find(':', begin), all.size());
        if (end > begin) folders.push_back(all.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  for (const char* folder :
       {"/usr/local/lib/R/site-library", "/usr/lib/R/site-library", "/usr/lib/R/library", "/usr/lib64/R/library"})
    folders.emplace_back(folder);
  for (const std::string& folder : folders)
    if (const auto path = std::filesystem::path(folder) / "deSolve/libs/deSolve.so"; std::filesystem::exists(path))
      return path;
  throw std::runtime_error(
      "RADAU5 is not here: install the R package deSolve (Debian: r-cran-desolve), or name its library folder in "
      "R_LIBS");
}

}  // namespace

Radau5::Radau5() : path_(find_library()) {
  void* library = dlopen(path_.c_str(), RTLD_LAZY);
  if (!library) throw std::runtime_error("cannot load the library of r-cran-desolve: " + std::string(dlerror()));
  entry_ = dlsym(library, "radau5_");
  if (!entry_) throw std::runtime_error(path_ + " does not contain RADAU5 (the package r-cran-desolve 1.34 does)");
}

PeerRun Radau5::run(const PeerProblem& problem, double tolerance, double end) const {
  const int n = problem.size, rest = n - problem.m1;
  PeerRun run;
  run.state = problem.start;
  const int lwork = n * (n + 1 + 3 * n + 12) + 20, liwork = 3 * n + 20;
  std::vector<double> work(static_cast<std::size_t>(lwork), 0.0);
  std::vector<int> iwork(static_cast<std::size_t>(liwork), 0);
  iwork[4] = problem.index1;
  iwork[5] = problem.index2;
  iwork[6] = problem.index3;
  iwork[8] = problem.m1;
  iwork[9] = problem.m2;
  int ipar[1] = {problem.differential - problem.m1};
  double t = 0.0, h = problem.first_step, rpar[1] = {0.0};
  const int itol = 0, analytic = 1, given = 1, band = 0, quiet = 0;
  reinterpret_cast<Radau5Entry*>(entry_)(&n, problem.function, &t, run.state.data(), &end, &h, &tolerance, &tolerance,
                                         &itol, problem.jacobian, &analytic, &rest, &rest, mass, &given, &band, &band,
                                         no_output, &quiet, work.data(), &lwork, iwork.data(), &liwork, rpar, ipar,
                                         &run.verdict);
  run.evaluations = iwork[13];
  run.jacobians = iwork[14];
  run.steps = iwork[15];
  run.accepted = iwork[16];
  run.factorisations = iwork[18];
  return run;
}

}  // namespace bench
