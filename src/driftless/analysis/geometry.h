// The geometric analysis: what methods do in the long run. docs/geometric.md describes it.
#pragma once

#include "driftless/analysis/attractor_kind.h"
#include "driftless/analysis/attractor_study.h"
#include "driftless/analysis/embedded_run.h"
#include "driftless/analysis/manifold_study.h"
#include "driftless/analysis/minimise.h"
#include "driftless/equations/minimisation_model.h"
