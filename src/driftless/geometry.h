// What methods do in the long run: invariant manifolds, attracting sets, embedding, periodic orbits and exponents,
// constrained minimisation by a flow. docs/geometric.md explains them.
#pragma once

#include "driftless/analysis/attractor_kind.h"
#include "driftless/analysis/attractor_study.h"
#include "driftless/analysis/embedded_run.h"
#include "driftless/analysis/manifold_study.h"
#include "driftless/analysis/minimise.h"
#include "driftless/analysis/orbit_study.h"
#include "driftless/equations/minimisation_model.h"
