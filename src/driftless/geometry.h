// What methods do in the long run: invariant manifolds, attracting sets, embedding, periodic orbits and exponents,
// constrained minimisation by a flow. docs/geometric.md explains them.
#pragma once

#include "driftless/analysis/geometric/attractor_kind.h"
#include "driftless/analysis/geometric/attractor_study.h"
#include "driftless/analysis/geometric/embedded_run.h"
#include "driftless/analysis/geometric/manifold_study.h"
#include "driftless/analysis/geometric/minimise.h"
#include "driftless/analysis/geometric/orbit_study.h"
#include "driftless/equations/minimisation_model.h"
