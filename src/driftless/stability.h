// Logarithmic norms of matrices and pencils. For index 1: constants on a box, verdicts with proofs, bounds of errors
// and of perturbations, and the error bound that a run carries; models whose formulas take intervals, too
// (enclosed_index1() and its relatives). docs/stability.md explains them.
#pragma once

#include "driftless/analysis/stability/b_stability.h"
#include "driftless/analysis/stability/constraint_graph.h"
#include "driftless/analysis/stability/contraction.h"
#include "driftless/analysis/stability/discretisation_bound.h"
#include "driftless/analysis/stability/discretisation_run.h"
#include "driftless/analysis/stability/error_growth.h"
#include "driftless/analysis/stability/index_loss.h"
#include "driftless/analysis/stability/lipschitz_constants.h"
#include "driftless/analysis/stability/lipschitz_tube.h"
#include "driftless/analysis/stability/logarithmic_norm.h"
#include "driftless/analysis/stability/mean_value_bound.h"
#include "driftless/analysis/stability/moving_projector.h"
#include "driftless/analysis/stability/pencil.h"
#include "driftless/analysis/stability/pencil_structure.h"
#include "driftless/analysis/stability/perturbation_bound.h"
#include "driftless/analysis/stability/reconstruction.h"
#include "driftless/analysis/stability/run_bound.h"
#include "driftless/analysis/stability/semi_inner_product.h"
#include "driftless/analysis/stability/stability_along.h"
#include "driftless/analysis/stability/stability_report.h"
#include "driftless/analysis/stability/stability_words.h"
#include "driftless/analysis/stability/stage_monotonicity.h"
#include "driftless/equations/index1_enclosed.h"
