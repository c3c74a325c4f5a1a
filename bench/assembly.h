// A Jacobian put together from blocks: which entry of which block goes where is worked out once, filling is one pass.
#pragma once

#include <vector>

#include "bench/mechanism.h"

namespace bench {

// An order of the unknowns in which all entries are close to the diagonal: new place of each unknown, and the numbers
// of diagonals below and above.
struct BandOrder {
  std::vector<int> place = {};
  int lower = 0, upper = 0;
};

class Assembly {
 public:
  struct Placement {
    int row, col;  // of the upper left corner of the block
    double factor = 1.0;
    bool times_cj = false;  // multiplied by the factor that belongs to y'
    bool transposed = false;
  };
  // `values` must stay where they are; they are read when the matrix is filled.
  void add(const Entries& entries, const std::vector<double>& values, const Placement& placement);
  void add_identity(int size, const Placement& placement);

  // One of these, after all blocks are added.
  // Column-major with `rows` rows, of which the first is row `first_row` of the whole; rows above are left out.
  void store_dense(int first_row, int rows, int cols);
  // Entry (i, j) of the reordered matrix at [i - j + diagonal + j * height].
  void store_band(const BandOrder& order, int diagonal, int height);
  // Columns compressed.
  void store_sparse(int cols);

  void fill(double cj, double* out) const;  // out has size() numbers
  std::size_t size() const { return size_; }
  const std::vector<long>& column_begin() const { return column_begin_; }
  const std::vector<long>& row_index() const { return row_index_; }

  // By the reverse Cuthill-McKee algorithm.
  BandOrder band_order(int unknowns) const;

 private:
  struct Piece {
    const double* values;
    std::size_t count;
    double factor;
    bool times_cj;
  };
  std::vector<Piece> pieces_;
  std::vector<int> row_, col_;
  std::vector<std::vector<double>> ones_;
  std::vector<std::size_t> where_;  // one past the end for entries that are left out
  std::size_t size_ = 0;
  std::vector<long> column_begin_, row_index_;
};

}  // namespace bench
