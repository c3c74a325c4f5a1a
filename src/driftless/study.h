// Studies of a model from text: many runs on all cores, and the linear system near a state.
#pragma once

#include "driftless/study/linearise.h"
#include "driftless/study/sweep.h"
