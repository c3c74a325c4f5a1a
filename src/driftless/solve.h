// Equations, a start and options in, a Solution out: solve(), what it may be asked for, events, what it answers.
// Whether equations are of the index that they claim: check_index(), compare_derivatives().
#pragma once

#include "driftless/equations/index_check.h"
#include "driftless/integrate/solve.h"
