// What is known of the Modelica Standard Library: constants, names of functions, types with units. No components.
#pragma once

#include "driftless/modelfile/text/diagnostic.h"
#include "driftless/modelfile/text/syntax.h"

namespace driftless {

ClassDefinition standard_package(SyntaxTree& tree, Diagnostics& diagnostics);

}  // namespace driftless
