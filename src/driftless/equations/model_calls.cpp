#include "driftless/equations/model_calls.h"

#include <string>
#include <vector>

namespace driftless {

void probe(const char* name, std::size_t arguments, std::size_t results, FormulaOf<Probe> formula) {
  std::vector<Probe> x(arguments), y(results);
  for (std::size_t i = 0; i < arguments; ++i) x[i] = Probe(0.5 + 0.1 * static_cast<double>(i));
  try {
    formula(x, y);
  } catch (const Misuse& error) {
    throw Misuse(std::string(name) + ": " + error.what());
  }
}

}  // namespace driftless
