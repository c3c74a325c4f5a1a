// Logarithmic norms of matrices and pencils. For index 1: constants on a box, verdicts with proofs, bounds of errors
// and of perturbations, and the error bound that a run carries; models whose formulas take intervals, too
// (enclosed_index1() and its relatives). docs/stability.md explains them.
#pragma once

#include "driftless/analysis/b_stability.h"
#include "driftless/analysis/constraint_graph.h"
#include "driftless/analysis/discretisation_bound.h"
#include "driftless/analysis/discretisation_run.h"
#include "driftless/analysis/error_growth.h"
#include "driftless/analysis/index_loss.h"
#include "driftless/analysis/lipschitz_constants.h"
#include "driftless/analysis/lipschitz_tube.h"
#include "driftless/analysis/logarithmic_norm.h"
#include "driftless/analysis/mean_value_bound.h"
#include "driftless/analysis/moving_projector.h"
#include "driftless/analysis/pencil.h"
#include "driftless/analysis/pencil_structure.h"
#include "driftless/analysis/perturbation_bound.h"
#include "driftless/analysis/reconstruction.h"
#include "driftless/analysis/run_bound.h"
#include "driftless/analysis/semi_inner_product.h"
#include "driftless/analysis/stability_along.h"
#include "driftless/analysis/stability_report.h"
#include "driftless/analysis/stability_words.h"
#include "driftless/analysis/stage_monotonicity.h"
#include "driftless/equations/index1_enclosed.h"
