// The makers behind problem(name); each leaves the name to it.
#pragma once

#include "testset/problem.h"

namespace driftless::testset {

Problem andrews_squeezer_problem();
Problem ascher_petzold_index2_problem(double alpha);
Problem car_axis_problem();
Problem chain_pendulum_problem(std::size_t n);
Problem charge_pump_problem();
Problem closed_loop_chain_problem(std::size_t n);
Problem fekete20_problem();
Problem fekete20_ggl_problem();
Problem gradient_flow_sphere_problem();
Problem heat_flux_mol_problem(std::size_t n);
Problem hlr_index2_problem();
Problem hlr_index3_problem();
Problem limit_cycle_sphere_problem();
Problem lognorm_linear_problem();
Problem lognorm_nonlinear_problem(int solution);
Problem lorenz_lifted_problem();
Problem mms_index2_gamma_problem();
Problem mms_index3_nonautonomous_problem();
Problem n_four_bar_problem(std::size_t n);
Problem nand_gate_problem();
Problem pendulum_schropp_problem();
Problem reaction_diffusion_problem(std::size_t cells);
Problem redundant_parallelogram_problem();
Problem slider_crank_flexible_problem(char start);  // 'a' or 'c'
Problem slider_crank_flexible_b_problem();
Problem stiff_spring_pendulum_problem(double epsilon);
Problem transistor_amplifier_problem();

// Members of families of any size, which problem(name) does not know.
Problem brusselator_grid_problem(std::size_t n);
Problem diode_grid_problem(std::size_t n);
Problem heat_grid_problem(std::size_t n);
Problem taylor_green_problem(std::size_t n);

}  // namespace driftless::testset
