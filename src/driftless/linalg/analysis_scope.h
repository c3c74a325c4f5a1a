// What is found out about patterns once in a run: elimination orders and symbolic factorisations, and which constraints
// depend on each other. A run makes many systems on a few patterns - each manifold, each stage, each stretch between
// events has its own - and finding an order is dearer than a few factorisations.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "driftless/core/matrix.h"
#include "driftless/linalg/pattern.h"

namespace driftless {

// While it lives, systems that this thread makes know what those before them found out. The outermost one counts: what
// a run finds depends on nothing before it, so that equal runs have equal digits.
class AnalysisScope {
 public:
  AnalysisScope();
  ~AnalysisScope();
  AnalysisScope(const AnalysisScope&) = delete;
  AnalysisScope& operator=(const AnalysisScope&) = delete;
  // How often something was known in the scope that counts; for tests.
  static std::size_t served();

 private:
  struct Store;
  friend struct KnownAnalyses;
  std::unique_ptr<Store> own_;  // of the outermost one
};

struct SymbolicLu;  // sparse_lu.cpp

// A guess with which the search for redundant constraints begins: see SaddleRedundancy.
struct KnownRedundancy {
  std::vector<std::uint32_t> rows;
  Matrix directions;
  bool rows_depend = false;
};

// Null where nothing is known, or outside of a scope. What is kept is for the same pattern, entry by entry, and the
// same `order`, resp. number of columns in A.
struct KnownAnalyses {
  using Order = std::span<const std::uint32_t>;
  static std::shared_ptr<const SymbolicLu> symbolic(const Pattern& pattern, Order order);
  static void keep(const Pattern& pattern, Order order, std::shared_ptr<const SymbolicLu> found);
  static std::shared_ptr<const std::vector<std::uint32_t>> saddle_order(const Pattern& pattern, std::size_t n);
  static void keep(const Pattern& pattern, std::size_t n, std::shared_ptr<const std::vector<std::uint32_t>> order);
  static std::shared_ptr<const KnownRedundancy> redundancy(const Pattern& pattern, std::size_t n);
  static void keep(const Pattern& pattern, std::size_t n, std::shared_ptr<const KnownRedundancy> found);
};

}  // namespace driftless
