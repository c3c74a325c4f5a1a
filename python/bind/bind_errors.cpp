// Errors keep the words that the library has for them.
#include "bind.h"
#include "driftless/core/failure.h"
#include "driftless/core/memory.h"
#include "driftless/simulate/model.h"

namespace py = pybind11;

namespace driftless::python {

void bind_errors(py::module_& module) {
  static py::exception<RefusedModel> model_error(module, "ModelError", PyExc_ValueError);
  static py::exception<Misuse> misuse(module, "Misuse", PyExc_ValueError);
  static py::exception<FailedRun> run_error(module, "RunError", PyExc_RuntimeError);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const RefusedModel& e) {
      model_error(e.what());
    } catch (const Misuse& e) {
      misuse(e.what());
    } catch (const FailedRun& e) {
      run_error(e.what());
    }
  });
}

}  // namespace driftless::python
