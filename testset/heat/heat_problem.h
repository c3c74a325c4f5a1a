// Heat conduction in flux form, Example 4.1 of Higueras and Soderlind 2003, by the method of lines on any mesh:
//     C_i theta_i' = -sum of area * flux out of cell i + V_i s_i(t),    0 = g(q_f, (theta_right - theta_left) /
//     distance),
// an index-1 problem for (theta, q) whose differences contract in |theta|^2 = sum C_i theta_i^2 if the law is convex.
#pragma once

#include <functional>

#include "driftless/analysis/stability/vector_norm.h"
#include "driftless/equations/index1.h"
#include "testset/heat/heat_law.h"

namespace driftless::testset {

struct HeatProblem {
  HeatMesh mesh;
  std::shared_ptr<const FluxLaw> law;
  Vector heat_capacity = {};                                   // rho c of each cell; empty: 1
  std::function<void(double t, Span per_volume)> source = {};  // none if empty

  std::size_t cells() const { return mesh.cells(); }
  std::size_t faces() const { return mesh.faces.size(); }
  std::size_t unknowns() const { return cells() + faces(); }  // theta, then q
};

// rho c V of each cell.
Vector capacities(const HeatProblem& problem);
// The temperature gradients across the faces.
void gradients(const HeatProblem& problem, ConstSpan theta, Span v);
// C theta' for given fluxes.
void heat_balance(const HeatProblem& problem, double t, ConstSpan q, Span out);
// theta and the fluxes that belong to it; Misuse if sizes do not fit or no flux is found.
Vector consistent_state(const HeatProblem& problem, ConstSpan theta);
// sqrt(sum C_i theta_i^2), of the first part of a state.
double heat_norm(ConstSpan capacity, ConstSpan theta);

// How implicit steps solve the systems of the equations: by factorisations, or by GMRES with cycles over coarser meshes
// (heat_multilevel.h), at a cost proportional to the cells. `automatic`: iterated where there are coarser meshes.
enum class HeatSystems { automatic, factorised, iterated };

// As index-1 equations, and the norm in which they are contractive (its weights for q are 1), for analyses of small
// ones.
Index1 as_index1(const HeatProblem& problem, HeatSystems systems = HeatSystems::automatic);
Norm contraction_norm(const HeatProblem& problem);

}  // namespace driftless::testset
