// What a stability report says, in words. Only what is proved is said as a fact.
#pragma once

#include "driftless/analysis/stability/stability_report.h"

namespace driftless {

// On the index, on growth, on the steps of implicit Euler; then on the constraint, where it keeps Theorem 3.5 from
// being applied.
std::vector<std::string> sentences_of(const StabilityReport& report, const Index1& form);

}  // namespace driftless
