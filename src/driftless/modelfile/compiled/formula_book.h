// The formulas of a form in a graph of their own, whose inputs lie as the form calls them: the components of the state,
// time, what is held between events, and directions. Machine code is made when a function is called for the first time.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "driftless/core/matrix.h"
#include "driftless/core/scratch.h"
#include "driftless/expression/differentiate.h"
#include "driftless/expression/engine.h"
#include "driftless/expression/parameter_trace.h"
#include "driftless/expression/program.h"

namespace driftless {

// What does not change between two events, and what the parameters of the model are.
struct HeldValues {
  Vector values;
  std::shared_ptr<const ParameterValues> parameters;
};

class FormulaBook {
 public:
  // `components` and `held` are slots of `from`, in the order in which they become inputs here.
  FormulaBook(const Graph& from, std::span<const std::uint32_t> components, std::uint32_t time,
              std::span<const std::uint32_t> held, Engine engine);

  Expr take(Expr of_from);  // the same formula in this graph
  std::vector<Expr> take(std::span<const Expr> of_from);
  // Inputs for a direction or for rates; `of_from` (may be empty) are the slots that they stand for.
  std::uint32_t add_inputs(std::size_t count, std::span<const std::uint32_t> of_from = {});

  // While it lives, formulas can be added by this thread; afterwards they are forgotten, so that no program depends on
  // which others were made before it.
  class Addition {
   public:
    explicit Addition(const FormulaBook& book);
    ~Addition() { graph_.truncate(size_); }
    Addition(const Addition&) = delete;
    Addition& operator=(const Addition&) = delete;

   private:
    std::unique_lock<std::mutex> lock_;
    std::unique_lock<std::recursive_mutex> trace_lock_;
    Graph& graph_;
    std::size_t size_;
  };
  // During an addition.
  Program program(std::span<const Expr> formulas, std::span<const std::size_t> part_sizes = {}) const;

  Graph& graph() const { return graph_; }
  Engine engine() const { return engine_; }
  std::uint32_t time() const { return time_; }
  std::uint32_t held() const { return time_ + 1; }
  std::size_t inputs() const { return inputs_; }

 private:
  const Graph* from_;  // until everything is taken
  mutable Graph graph_;
  mutable std::mutex mutex_;  // derivatives are made when they are first asked for
  Engine engine_;
  std::uint32_t time_;
  std::size_t inputs_;
  static constexpr std::uint32_t nowhere = UINT32_MAX;
  std::vector<std::uint32_t> slot_of_;  // by slot of `from_`
  std::vector<std::uint32_t> taken_;    // by node of `from_`: the node here
};

// The arguments of one call.
class Arguments {
 public:
  struct Part {
    std::size_t at;
    ConstSpan values;
  };
  Arguments(const FormulaBook& book, const HeldValues& held, double t, std::initializer_list<Part> parts)
      : all_(take(book.inputs())), parameters_(held.parameters.get()) {
    all_[book.time()] = t;
    put({book.held(), held.values});
    for (const Part& part : parts) put(part);
  }
  void put(const Part& part) { std::copy(part.values.begin(), part.values.end(), all_ + part.at); }
  const double* data() const { return all_; }
  const ParameterValues* parameters() const { return parameters_; }
  Scratch& scratch() { return scratch_; }
  // Memory that holds anything. So do arguments that were not given; no formula reads them.
  double* take(std::size_t count) { return &scratch_.take<Unset>(count + 1)[0].value; }

 private:
  Scratch scratch_;
  double* all_;
  const ParameterValues* parameters_;
};

inline constexpr std::size_t most_parts = 4;  // vectors or matrices that one function fills

// One number per expression; they may go to several vectors, whose sizes are always the same.
class LazyVector {
 public:
  using Build = std::function<std::vector<Expr>(Graph&)>;
  LazyVector(std::shared_ptr<const FormulaBook> book, Build build) : book_(std::move(book)), build_(std::move(build)) {}

  void operator()(const Arguments& arguments, Span out) const { (*this)(arguments, {out}); }
  void operator()(const Arguments& arguments, std::initializer_list<Span> parts) const;

 private:
  std::shared_ptr<const FormulaBook> book_;
  Build build_;
  mutable std::once_flag once_;
  mutable Program program_;
};

// Entries of one or more matrices; all others are 0.
struct MatrixEntry {
  std::uint32_t matrix, row, column;
  Expr value;
};
using MatrixEntries = std::vector<MatrixEntry>;

class LazyMatrices {
 public:
  using Build = std::function<MatrixEntries(Graph&)>;
  LazyMatrices(std::shared_ptr<const FormulaBook> book, Build build)
      : book_(std::move(book)), build_(std::move(build)) {}

  void operator()(Arguments& arguments, std::initializer_list<MatrixView> out) const;

 private:
  void build(std::initializer_list<MatrixView> out) const;
  void run_whole(Arguments& arguments, std::initializer_list<MatrixView> out) const;

  // Small matrices are computed with their zeros, which is quicker than to put single entries into place.
  static constexpr std::size_t largest_whole = 512;
  mutable bool whole_ = false;
  std::shared_ptr<const FormulaBook> book_;
  Build build_;
  mutable std::once_flag once_;
  mutable Program program_;
  mutable MatrixEntries entries_;
};

// d values / d (first `count` inputs, time), as entries of matrix number `matrix`.
void add_jacobian(Graph& graph, std::span<const Expr> values, std::size_t count, std::uint32_t time,
                  std::uint32_t matrix, MatrixEntries& entries);
// A vector as a matrix of one column.
inline MatrixView as_column(Span x) { return {x.data(), x.size(), 1, x.size()}; }

}  // namespace driftless
