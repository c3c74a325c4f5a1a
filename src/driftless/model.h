// Equations from C++ functions: a class whose member functions are written once, for any scalar type, becomes a problem
// of index 1, 2 or 3. Each header states the functions that it looks for. The same problem in another form: convert.h.
#pragma once

#include "driftless/equations/convert.h"
#include "driftless/equations/index1_model.h"
#include "driftless/equations/index2_model.h"
#include "driftless/equations/index3_model.h"
#include "driftless/equations/mechanical_model.h"
#include "driftless/equations/wide_model.h"
