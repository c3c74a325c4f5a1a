// The distance of a method's set from a periodic orbit, on planes across it: there the orbit is one point, and no gap
// between samples along the flow hides the distance.
#pragma once

#include "driftless/analysis/geometric/attractor_study.h"
#include "driftless/analysis/geometric/periodic_orbit.h"

namespace driftless {

// The largest numbers over `planes` planes, which are orthogonal to the flow at equal times along the orbit. Sections
// and numbers of samples in the options are replaced. A Failure if the orbit cannot be followed or has no flow.
Result<AttractorStudy> study_across_orbit(const Index2& equations, const PeriodicOrbit& orbit,
                                          AttractorStudyOptions options, std::size_t planes = 4);

}  // namespace driftless
