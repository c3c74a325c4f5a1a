// Adaptive steps one at a time, for those who have a loop of their own: Integrator, made by make_integrator() or, from
// the text of a checkpoint, by resume_integrator(); AdaptiveRadau by itself. Start values are made by
// make_consistent(). For problems of index 1 too large for factorisations: PreconditionedFunctions.
#pragma once

#include "driftless/equations/index1_preconditioner.h"
#include "driftless/integrate/adaptive_radau.h"
#include "driftless/integrate/consistent_start.h"
