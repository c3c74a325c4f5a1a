#include "bench/peers/desolve.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdlib>
#include <filesystem>
#include <limits>

// The messages of these codes end in R, which crashes unless it has been started. These are found first: quiet, and
// back to the caller where R would not return.
namespace {
std::jmp_buf way_out;
bool way_out_is_set = false;

[[noreturn]] void leave() {
  if (way_out_is_set) std::longjmp(way_out, 1);
  std::abort();
}
}  // namespace
extern "C" {
void Rprintf(const char*, ...) {}
void Rf_warning(const char*, ...) {}
void intpr_(const char*, int*, int*, int*) {}
void dblepr_(const char*, int*, double*, int*) {}
void rwarn_(const char*) {}
void Rf_error(const char*, ...) { leave(); }
void rexit_(const char*) { leave(); }
}

namespace bench {

namespace {

constexpr int step_limit = 2'000'000;

template <class System>
struct Call {
  System* system;
  TimeLimit* limit;
};

using RadauFunction = void(const int* n, const double* t, const double* y, double* f, double* rpar, int* ipar);
using RadauJacobian = void(const int* n, const double* t, const double* y, const int* ml, const int* mu, double* df,
                           const int* ld, double* rpar, int* ipar);
using RadauMass = void(const int* n, double* am, const int* lmas, double* rpar, int* ipar);
using Radau5 = void(const int* n, RadauFunction*, double* t, double* y, const double* end, double* h,
                    const double* rtol, const double* atol, const int* itol, RadauJacobian*, const int* ijac,
                    const int* mljac, const int* mujac, RadauMass*, const int* imas, const int* mlmas, const int* mumas,
                    void (*solout)(), const int* iout, double* work, const int* lwork, int* iwork, const int* liwork,
                    double* rpar, int* ipar, int* idid);

using RadauCall = Call<LinearlyImplicit>;

void radau_function(const int* n, const double* t, const double* y, double* f, double* rpar, int*) {
  auto& call = *reinterpret_cast<RadauCall*>(rpar);
  if (call.limit->over())  // RADAU5 cannot be told to stop; it gives up when the step size is down to rounding
    std::fill(f, f + *n, std::numeric_limits<double>::quiet_NaN());
  else
    call.system->function(*t, y, f);
}

void radau_jacobian(const int*, const double* t, const double* y, const int*, const int*, double* df, const int*,
                    double* rpar, int*) {
  reinterpret_cast<RadauCall*>(rpar)->system->jacobian(*t, y, df);
}

void radau_mass(const int*, double* am, const int*, double* rpar, int*) {
  const auto& mass = reinterpret_cast<RadauCall*>(rpar)->system->mass();
  std::copy(mass.begin(), mass.end(), am);
}

void no_output() {}

std::string radau_failure(int verdict) {
  switch (verdict) {
    case -1: return "input is not consistent";
    case -2: return "too many steps";
    case -3: return "step size becomes too small";
    case -4: return "matrix is repeatedly singular";
    default: return fmt::format("IDID = {}", verdict);
  }
}

using DaspkResidual = void(const double* t, const double* y, const double* yp, const double* cj, double* delta,
                           int* ires, double* rpar, int* ipar);
using DaspkJacobian = void(const double* t, const double* y, const double* yp, double* pd, const double* cj,
                           double* rpar, int* ipar);
using Daspk = void(DaspkResidual*, const int* n, double* t, double* y, double* yp, const double* end, int* info,
                   const double* rtol, const double* atol, int* idid, double* rwork, const int* lrw, int* iwork,
                   const int* liw, double* rpar, int* ipar, DaspkJacobian*, void (*psol)());

using DaspkCall = Call<FullyImplicit>;

void daspk_residual(const double* t, const double* y, const double* yp, const double*, double* delta, int* ires,
                    double* rpar, int*) {
  auto& call = *reinterpret_cast<DaspkCall*>(rpar);
  if (call.limit->over())
    *ires = -2;
  else
    call.system->residual(*t, y, yp, delta);
}

void daspk_jacobian(const double* t, const double* y, const double* yp, double* pd, const double* cj, double* rpar,
                    int*) {
  reinterpret_cast<DaspkCall*>(rpar)->system->jacobian(*t, y, yp, *cj, pd);
}

std::string daspk_failure(int verdict) {
  switch (verdict) {
    case -6: return "error test failed repeatedly";
    case -7: return "no convergence of the corrector";
    case -8: return "matrix is singular";
    case -9: return "error test and corrector failed repeatedly";
    case -10: return "residual refused";
    default: return fmt::format("IDID = {}", verdict);
  }
}

std::vector<std::string> library_folders() {
  std::vector<std::string> folders;
  for (const char* name : {"R_LIBS", "R_LIBS_USER", "R_LIBS_SITE"})
    if (const char* value = std::getenv(name)) {
      const std::string all = value;
      for (std::size_t begin = 0; begin <= all.size();) {
        const std::size_t end = std::min(all.find(':', begin), all.size());
        if (end > begin) folders.push_back(all.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  for (const char* folder :
       {"/usr/local/lib/R/site-library", "/usr/lib/R/site-library", "/usr/lib/R/library", "/usr/lib64/R/library"})
    folders.emplace_back(folder);
  return folders;
}

}  // namespace

std::optional<DeSolve> DeSolve::find() {
  for (const std::string& folder : library_folders()) {
    const auto path = std::filesystem::path(folder) / "deSolve/libs/deSolve.so";
    if (!std::filesystem::exists(path)) continue;
    void* library = dlopen(path.c_str(), RTLD_LAZY);
    if (!library) continue;
    DeSolve found;
    found.path_ = path;
    found.radau5_ = dlsym(library, "radau5_");
    found.daspk_ = dlsym(library, "ddaspk_");
    if (found.radau5_ && found.daspk_) return found;
  }
  return std::nullopt;
}

Outcome DeSolve::radau5(LinearlyImplicit& system, double begin, double end, double tolerance, double first_step,
                        double seconds) const {
  const int n = system.size(), rest = n - system.m1(), lower = system.lower(), upper = system.upper();
  const int jacobian_rows = system.banded() ? lower + upper + 1 : rest;
  const int mass_rows = system.mass_lower() + system.mass_upper() + 1;
  const int factor_rows = system.banded() ? 2 * lower + upper + 1 : rest;
  const int lwork = n * (jacobian_rows + mass_rows + 3 * factor_rows + 12) + 20, liwork = 3 * n + 20;
  std::vector<double> work(static_cast<std::size_t>(lwork), 0.0), y = system.start();
  std::vector<int> iwork(static_cast<std::size_t>(liwork), 0);
  iwork[1] = step_limit;
  iwork[4] = system.index1();
  iwork[5] = system.index2();
  iwork[6] = system.index3();
  iwork[8] = system.m1();
  iwork[9] = system.m2();
  TimeLimit limit(seconds);
  RadauCall call{&system, &limit};
  double t = begin, h = first_step;
  const int scalar = 0, given = 1, quiet = 0, mass_lower = system.mass_lower(), mass_upper = system.mass_upper();
  int ipar[1] = {0}, verdict = 0;
  Outcome outcome;
  if (setjmp(way_out) == 0) {
    way_out_is_set = true;
    reinterpret_cast<Radau5*>(radau5_)(&n, radau_function, &t, y.data(), &end, &h, &tolerance, &tolerance, &scalar,
                                       radau_jacobian, &given, &lower, &upper, radau_mass, &given, &mass_lower,
                                       &mass_upper, no_output, &quiet, work.data(), &lwork, iwork.data(), &liwork,
                                       reinterpret_cast<double*>(&call), ipar, &verdict);
  } else {
    outcome.failure = "gave up";
  }
  way_out_is_set = false;
  if (limit.over())
    outcome.failure = over_time;
  else if (outcome.ok() && verdict != 1)
    outcome.failure = radau_failure(verdict);
  outcome.evaluations = static_cast<std::size_t>(iwork[13]);
  outcome.jacobians = static_cast<std::size_t>(iwork[14]);
  outcome.steps = static_cast<std::size_t>(iwork[16]);
  outcome.factorisations = static_cast<std::size_t>(iwork[18]);
  outcome.state = system.result(y);
  return outcome;
}

Outcome DeSolve::daspk(FullyImplicit& system, double begin, double end, double tolerance, double first_step,
                       double seconds) const {
  const int n = system.size();
  const bool band = system.storage() == Storage::band;
  std::vector<double> y, yp;
  system.start(y, yp);
  const int lrw = 60 + 11 * n + static_cast<int>(system.matrix().size()) + 2 * n, liw = 50 + 2 * n;
  std::vector<double> rwork(static_cast<std::size_t>(lrw), 0.0);
  std::vector<int> iwork(static_cast<std::size_t>(liw), 0);
  int info[30] = {};
  info[3] = 1;  // do not step over the end
  rwork[0] = end;
  info[4] = 1;  // Jacobian given
  if (band) {
    info[5] = 1;
    iwork[0] = system.lower();
    iwork[1] = system.upper();
  }
  if (first_step > 0.0) {
    info[7] = 1;
    rwork[2] = first_step;
  }
  info[15] = 1;  // multipliers are not in the error test
  for (std::size_t i = 0; i < y.size(); ++i) iwork[40 + i] = system.algebraic()[i] ? -1 : 1;
  TimeLimit limit(seconds);
  DaspkCall call{&system, &limit};
  double t = begin;
  int ipar[1] = {0}, verdict = 0;
  Outcome outcome;
  if (setjmp(way_out) == 0) {
    way_out_is_set = true;
    do {
      reinterpret_cast<Daspk*>(daspk_)(daspk_residual, &n, &t, y.data(), yp.data(), &end, info, &tolerance, &tolerance,
                                       &verdict, rwork.data(), &lrw, iwork.data(), &liw,
                                       reinterpret_cast<double*>(&call), ipar, daspk_jacobian, no_output);
      info[0] = 1;  // after 500 steps it asks whether to go on
    } while ((verdict == -1 || verdict == 1) && !limit.check() && iwork[10] < step_limit);
  } else {
    outcome.failure = "gave up";
  }
  way_out_is_set = false;
  if (limit.over())
    outcome.failure = over_time;
  else if (outcome.ok() && verdict != 2 && verdict != 3)
    outcome.failure = daspk_failure(verdict);
  outcome.steps = static_cast<std::size_t>(iwork[10]);
  outcome.evaluations = static_cast<std::size_t>(iwork[11]);
  outcome.jacobians = outcome.factorisations = static_cast<std::size_t>(iwork[12]);
  outcome.state = system.result(y);
  return outcome;
}

}  // namespace bench
