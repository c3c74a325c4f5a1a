// Problems of any size for the comparison with IDA: the equations as driftless has them, and their Jacobian by hand.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/mechanism.h"
#include "bench/systems.h"
#include "driftless/equations/equations.h"

namespace bench {

// Takes the entries of f_x one after the other, always in the same order.
using Put = std::function<void(int row, int col, double value)>;

// A form in which IDA takes a problem.
struct Peer {
  std::string name = {};  // behind "IDA"
  std::function<std::unique_ptr<FullyImplicit>()> make = {};
};

struct SizedProblem {
  driftless::Equations equations;
  driftless::Vector start;
  double end;
  std::vector<bool> algebraic = {};
  Entries entries = {};  // of f_x
  std::function<void(const double* x, double t, double* values)> jacobian = {};
  std::function<driftless::Vector()> exact = {};  // at the end; empty: not known
  std::size_t compared = 0;                       // so many components at the beginning of a state; 0: all
  std::vector<Peer> peers = {};                   // empty: P x' = f with the Jacobian above
};

struct SizedFamily {
  const char* name;
  const char* title;
  SizedProblem (*make)(std::size_t unknowns);  // about so many
};

const std::vector<SizedFamily>& sized_families();

}  // namespace bench
