// A model as a whole, from its start over all events to its end: TextModel (flat Modelica), FunctionModel (C++
// functions with named parameters), simulate(), and its result by names.
#pragma once

#include "driftless/simulate/function_model.h"
#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"
