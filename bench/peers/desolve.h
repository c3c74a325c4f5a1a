// RADAU5 (Hairer, Wanner) and DASPK (Brown, Hindmarsh, Petzold), in the build that the R package deSolve carries
// (Debian: r-cran-desolve), loaded at run time and called natively.
#pragma once

#include <optional>
#include <string>

#include "bench/run.h"
#include "bench/systems.h"

namespace bench {

class DeSolve {
 public:
  // Nothing if the package is not installed.
  static std::optional<DeSolve> find();
  const std::string& path() const { return path_; }

  Outcome radau5(LinearlyImplicit& system, double begin, double end, double tolerance, double first_step,
                 double seconds) const;
  // first_step 0: chosen by the code. Storage must not be sparse.
  Outcome daspk(FullyImplicit& system, double begin, double end, double tolerance, double first_step,
                double seconds) const;

 private:
  std::string path_;
  void *radau5_ = nullptr, *daspk_ = nullptr;
};

}  // namespace bench
