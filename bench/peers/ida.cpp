#include "bench/peers/ida.h"

#include <stdexcept>

#ifdef DRIFTLESS_BENCH_IDA

#include <fmt/format.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>

namespace bench {

namespace {

struct Call {
  FullyImplicit* system;
  TimeLimit* limit;
};

int residual(double t, N_Vector y, N_Vector yp, N_Vector out, void* data) {
  const Call& call = *static_cast<Call*>(data);
  if (call.limit->over()) return -1;
  call.system->residual(t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(out));
  return 0;
}

int dense_jacobian(double t, double cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix out, void* data, N_Vector,
                   N_Vector, N_Vector) {
  static_cast<Call*>(data)->system->jacobian(t, NV_DATA_S(y), NV_DATA_S(yp), cj, SM_DATA_D(out));
  return 0;
}

int sparse_jacobian(double t, double cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix out, void* data, N_Vector,
                    N_Vector, N_Vector) {
  FullyImplicit& system = *static_cast<Call*>(data)->system;
  const Assembly& matrix = system.matrix();
  std::copy(matrix.column_begin().begin(), matrix.column_begin().end(), SM_INDEXPTRS_S(out));
  std::copy(matrix.row_index().begin(), matrix.row_index().end(), SM_INDEXVALS_S(out));
  system.jacobian(t, NV_DATA_S(y), NV_DATA_S(yp), cj, SM_DATA_S(out));
  return 0;
}

void keep_quiet(int, const char*, const char*, char*, void*) {}

// Everything that IDA needs, released together.
struct Session {
  explicit Session(FullyImplicit& system) {
    SUNContext_Create(nullptr, &context);
    std::vector<double> y0, yp0;
    system.start(y0, yp0);
    const auto n = static_cast<sunindextype>(y0.size());
    for (N_Vector* vector : {&y, &yp, &id}) *vector = N_VNew_Serial(n, context);
    std::copy(y0.begin(), y0.end(), NV_DATA_S(y));
    std::copy(yp0.begin(), yp0.end(), NV_DATA_S(yp));
    for (std::size_t i = 0; i < y0.size(); ++i) NV_DATA_S(id)[i] = system.algebraic()[i] ? 0.0 : 1.0;
    if (system.storage() == Storage::dense) {
      matrix = SUNDenseMatrix(n, n, context);
      solver = SUNLinSol_Dense(y, matrix, context);
    } else {
      matrix = SUNSparseMatrix(n, n, static_cast<sunindextype>(system.matrix().size()), CSC_MAT, context);
      solver = SUNLinSol_KLU(y, matrix, context);
    }
    memory = IDACreate(context);
  }
  ~Session() {
    IDAFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    for (N_Vector vector : {y, yp, id}) N_VDestroy(vector);
    SUNContext_Free(&context);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  SUNContext context = nullptr;
  N_Vector y = nullptr, yp = nullptr, id = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  void* memory = nullptr;
};

std::string failure_of(int flag) {
  char* name = IDAGetReturnFlagName(flag);
  std::string text = name;
  std::free(name);
  return text;
}

}  // namespace

bool ida_is_here() { return true; }

Outcome ida(FullyImplicit& system, double begin, double end, double tolerance, double first_step, double seconds,
            KluOrdering ordering) {
  if (system.storage() == Storage::band) throw std::runtime_error("IDA is not given a band here");
  TimeLimit limit(seconds);
  Call call{&system, &limit};
  Session s(system);
  if (system.storage() == Storage::sparse) SUNLinSol_KLUSetOrdering(s.solver, static_cast<int>(ordering));
  IDAInit(s.memory, residual, begin, s.y, s.yp);
  IDASetErrHandlerFn(s.memory, keep_quiet, nullptr);
  IDASStolerances(s.memory, tolerance, tolerance);
  IDASetUserData(s.memory, &call);
  IDASetId(s.memory, s.id);
  IDASetSuppressAlg(s.memory, SUNTRUE);
  IDASetLinearSolver(s.memory, s.solver, s.matrix);
  IDASetJacFn(s.memory, system.storage() == Storage::dense ? dense_jacobian : sparse_jacobian);
  IDASetMaxNumSteps(s.memory, 2'000'000);
  IDASetStopTime(s.memory, end);
  if (first_step > 0.0) IDASetInitStep(s.memory, first_step);
  double reached = begin;
  const int flag = IDASolve(s.memory, end, &reached, s.y, s.yp, IDA_NORMAL);

  Outcome outcome;
  if (limit.over())
    outcome.failure = over_time;
  else if (flag < 0)
    outcome.failure = failure_of(flag);
  long steps = 0, evaluations = 0, jacobians = 0, setups = 0;
  IDAGetNumSteps(s.memory, &steps);
  IDAGetNumResEvals(s.memory, &evaluations);
  IDAGetNumJacEvals(s.memory, &jacobians);
  IDAGetNumLinSolvSetups(s.memory, &setups);
  outcome.steps = static_cast<std::size_t>(steps);
  outcome.evaluations = static_cast<std::size_t>(evaluations);
  outcome.jacobians = static_cast<std::size_t>(jacobians);
  outcome.factorisations = static_cast<std::size_t>(setups);
  outcome.state = system.result({NV_DATA_S(s.y), NV_DATA_S(s.y) + system.size()});
  return outcome;
}

}  // namespace bench

#else

namespace bench {

bool ida_is_here() { return false; }

Outcome ida(FullyImplicit&, double, double, double, double, double, KluOrdering) {
  throw std::runtime_error("IDA was not found when this was compiled");
}

}  // namespace bench

#endif
