// The flexible slider crank with position constraints (index 3), from two consistent starts. Digits trusted to 18 (a)
// and 20 places (c). The published start is consistent to 2e-10 in position and 1e-8 in velocity only: start a is its
// projection.
#include "testset/catalogue.h"
#include "testset/slider_crank.h"

namespace driftless::testset {

Problem slider_crank_flexible_problem(char start) {
  const bool rigid = start == 'c';
  Vector first = rigid ? Vector{0.0,
                                0.0,
                                4.500000000000000000000000000e-1,
                                0.0,
                                0.0,
                                0.0,
                                0.0,
                                1.500000000000000000000000000e+2,
                                -7.500000000000000000000000000e+1,
                                0.0,
                                0.0,
                                0.0,
                                0.0,
                                0.0,
                                0.0,
                                2.863023157894736842105263158e+2,
                                0.0}
                       : Vector{0.0,
                                0.0,
                                4.500169328396578947368421053e-1,
                                0.0,
                                0.0,
                                1.033398095526315789473684211e-5,
                                1.693283965789473684210526316e-5,
                                1.500000000000000000000000000e+2,
                                -7.499576702900625669437193874e+1,
                                -2.689386720000000000000000000e-6,
                                4.448961105401554665256700088e-1,
                                4.634340339950220279903515852e-3,
                                -1.785910760000000000000000000e-6,
                                -2.689386720000000000000000000e-6,
                                -6.552748083448933788239083820e-8,
                                3.824601351466401968946128831e+2,
                                -4.635935548371781371116332973e-9};
  Vector last = rigid ? Vector{1.5000000000000000000e+1,  -3.3117900604391190579e-1, 1.6973225166872859046e-1,
                               -1.4172368254152488861e-4, 2.1625296755409772197e-5,  -7.9347119924347333992e-6,
                               -1.3168187251923284322e-5, 1.5000000000000000000e+2,  6.0163951925911975620e+1,
                               -8.8365926948753040533e+0, 1.2194923550123958317e-1,  -3.4195423019690715625e-2,
                               -7.9689957565770700925e-2, -7.7934217987033342213e-2, -1.0312914815831387861e+2,
                               -2.0008788530586839074e+2, 3.2204668620180152841e+1}
                      : Vector{1.5000000000000000000e+1,  -3.3117349880536929593e-1, 1.6973733265866493895e-1,
                               1.8931928629604151716e-4,  2.3757515537502460833e-5,  -5.3239016157702190670e-6,
                               -8.3632956017458715552e-6, 1.5000000000000000000e+2,  6.0253466993113363019e+1,
                               -8.7531168384377423477e+0, -3.0055307385555749032e-2, -5.5004717228804145104e-3,
                               4.9775330665751192898e-4,  1.1050764331170400159e-3,  -6.2329127878068647523e+1,
                               -1.6379151606010961935e+2, 2.5298553178468567619e+1};
  return {.title = rigid ? "Slider crank with flexible rod, undeformed start"
                         : "Slider crank with flexible rod, smooth start",
          .source = "Simeon 1998, CWI/Bari test set for initial value problems",
          .notes = rigid ? "Excites the stiff modes of the rod." : "The published start, made consistent.",
          .equations = mechanical(SliderCrank{}, {.q_names = slider_crank_coordinates(),
                                                  .lambda_names = {"lambda1", "lambda2", "lambda3"},
                                                  .constraint_names = slider_crank_constraints()}),
          .start = std::move(first),
          .references = {{0.1, std::move(last)}},
          .trusted_digits = rigid ? 20.0 : 18.0};
}

}  // namespace driftless::testset
