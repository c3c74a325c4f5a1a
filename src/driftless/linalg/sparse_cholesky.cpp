#include "driftless/linalg/sparse_cholesky.h"

#include <cholmod.h>

#include <algorithm>
#include <cstring>

#include "driftless/core/failure.h"
#include "driftless/core/memory.h"
#include "driftless/core/stop.h"

namespace driftless {

namespace {

// Factors that do not fit belong to no indefinite matrix.
void refuse_cholesky(const cholmod_common& common) {
  if (common.status == CHOLMOD_OUT_OF_MEMORY || common.status == CHOLMOD_TOO_LARGE)
    refuse_for_memory("the factors of a sparse symmetric matrix");
}

}  // namespace

// All that CHOLMOD allocates. Its matrix and vectors are views of ours.
struct SparseCholesky::Memory {
  cholmod_common common{};
  std::vector<int> begin, row;
  cholmod_sparse matrix{};
  cholmod_factor* factor = nullptr;
  cholmod_dense *solution = nullptr, *work1 = nullptr, *work2 = nullptr;

  Memory() { cholmod_start(&common); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    cholmod_free_factor(&factor, &common);
    cholmod_free_dense(&solution, &common);
    cholmod_free_dense(&work1, &common);
    cholmod_free_dense(&work2, &common);
    cholmod_finish(&common);
  }
};

SparseCholesky::SparseCholesky(const Pattern& lower, std::span<const std::uint32_t> order)
    : memory_(std::make_unique<Memory>()) {
  if (lower.rows != lower.cols) throw Misuse("a symmetric matrix must be square");
  Memory& m = *memory_;
  m.common.supernodal = CHOLMOD_SIMPLICIAL;  // the LGPL part, and no BLAS
  m.common.final_ll = 0;
  m.common.nmethods = 1;
  m.common.postorder = 1;
  m.common.print = 0;
  m.common.error_handler = nullptr;
  m.begin.assign(lower.begin.begin(), lower.begin.end());
  m.row.assign(lower.row.begin(), lower.row.end());
  m.matrix.nrow = lower.rows;
  m.matrix.ncol = lower.cols;
  m.matrix.nzmax = lower.count();
  m.matrix.p = m.begin.data();
  m.matrix.i = m.row.data();
  m.matrix.stype = -1;
  m.matrix.itype = CHOLMOD_INT;
  m.matrix.xtype = CHOLMOD_PATTERN;
  m.matrix.dtype = CHOLMOD_DOUBLE;
  m.matrix.sorted = 1;
  m.matrix.packed = 1;
  std::vector<int> given(order.begin(), order.end());
  m.common.method[0].ordering = given.empty() ? CHOLMOD_AMD : CHOLMOD_GIVEN;
  m.factor = cholmod_analyze_p(&m.matrix, given.empty() ? nullptr : given.data(), nullptr, 0, &m.common);
  if (!m.factor) refuse_cholesky(m.common);
  if (!m.factor) throw Misuse("the pattern of a symmetric matrix, or the order of its unknowns, is not valid");
}

SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

bool SparseCholesky::factorise(ConstSpan values) {
  check_stop();
  Memory& m = *memory_;
  m.matrix.xtype = CHOLMOD_REAL;
  m.matrix.x = const_cast<double*>(values.data());  // it is only read
  ++factorisations_;
  const int done = cholmod_factorize(&m.matrix, m.factor, &m.common);
  m.matrix.x = nullptr;
  m.matrix.xtype = CHOLMOD_PATTERN;
  refuse_cholesky(m.common);
  if (!done || m.common.status != CHOLMOD_OK || m.factor->minor < m.factor->n) return false;
  const auto* p = static_cast<const int*>(m.factor->p);
  const auto* x = static_cast<const double*>(m.factor->x);
  for (std::size_t j = 0; j < m.factor->n; ++j)
    if (!(x[p[j]] > 0.0)) return false;  // L D L^T leaves D on the diagonal
  return true;
}

void SparseCholesky::solve(Span b, std::size_t count) {
  Memory& m = *memory_;
  cholmod_dense right{};
  right.nrow = m.factor->n;
  right.ncol = count;
  right.nzmax = b.size();
  right.d = m.factor->n;
  right.x = b.data();
  right.xtype = CHOLMOD_REAL;
  right.dtype = CHOLMOD_DOUBLE;
  if (!cholmod_solve2(CHOLMOD_A, m.factor, &right, nullptr, &m.solution, nullptr, &m.work1, &m.work2, &m.common))
    refuse_for_memory("a solution by the factors of a sparse symmetric matrix");
  std::memcpy(b.data(), m.solution->x, b.size() * sizeof(double));
}

std::size_t SparseCholesky::entries() const { return memory_->factor->nzmax; }
double SparseCholesky::flops() const { return memory_->common.fl; }
std::size_t SparseCholesky::bytes() const {
  return memory_->common.memory_inuse + memory_->row.size() * sizeof(int) + memory_->begin.size() * sizeof(int);
}

}  // namespace driftless
