// RADAU5 of Hairer and Wanner, in the build that the R package deSolve carries (Debian: r-cran-desolve), called
// natively.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace bench {

// What RADAU5 calls, with its own argument lists; the mass matrix is diag(1, ..., 1, 0, ..., 0).
using PeerFunction = void(const int* n, const double* t, const double* y, double* f, double* rpar, int* ipar);
using PeerJacobian = void(const int* n, const double* t, const double* y, const int* ml, const int* mu, double* df,
                          const int* ld, double* rpar, int* ipar);

struct PeerProblem {
  std::string form;
  PeerFunction* function;
  PeerJacobian* jacobian;
  int size;
  int differential;            // leading rows with y_i' on the left, the others are 0 = f_i
  int index1, index2, index3;  // IWORK(5..7): how many components of each index
  int m1 = 0, m2 = 0;  // IWORK(9..10): y_i' = y_(i+m2) for i <= m1, eliminated by RADAU5 itself; `jacobian` fills the
                       // rows after m1
  double first_step;
  std::vector<double> start;
};

struct PeerRun {
  int verdict = 0;  // IDID: 1 is success
  int evaluations = 0, jacobians = 0, steps = 0, accepted = 0, factorisations = 0;
  std::vector<double> state;
};

class Radau5 {
 public:
  Radau5();  // throws std::runtime_error that names the package if there is none
  const std::string& path() const { return path_; }
  PeerRun run(const PeerProblem& problem, double tolerance, double end) const;

 private:
  std::string path_;
  void* entry_ = nullptr;
};

// Andrews' mechanism, y = (q, v, w = v', lambda), 27 unknowns.
std::vector<PeerProblem> andrews_for_peer(std::span<const double> start);
// The pendulum, y = (q, v, lambda), 5 unknowns.
std::vector<PeerProblem> pendulum_for_peer(std::span<const double> start);

}  // namespace bench
