// Equations, a start and options in, a Solution out: solve(), what it may be asked for, events, what it answers.
// Whether equations are of the index that they claim: check_index(), compare_derivatives(). How much memory all this
// may take: set_memory_limit().
#pragma once

#include "driftless/core/memory.h"
#include "driftless/equations/index_check.h"
#include "driftless/integrate/solve.h"
