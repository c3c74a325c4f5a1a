// Which part of a study this process has: given, or as a launcher of many processes says in its environment.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace driftless::cli {

struct Shard {
  std::size_t number = 1, of = 1;  // 1 <= number <= of
  std::string from = {};           // "--shard", or the variables that say so; empty: all of it
  bool crowded = false;            // other shards may run on this machine

  bool is_all() const { return of == 1; }
  std::vector<std::size_t> runs(std::size_t total) const;  // every of-th one, so that parts are alike
  std::string label() const;                               // "3-of-8"
  std::string path(const std::string& whole) const;        // of its results: sweep.3-of-8.csv
};

// "k/n"; empty: arrays and steps of Slurm, Open MPI, MPICH and its relatives. Stop for what is no shard.
Shard shard_from(const std::string& word);

}  // namespace driftless::cli
