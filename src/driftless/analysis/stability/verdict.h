// What is known about a statement: proved, refuted, or neither.
#pragma once

namespace driftless {

enum class Verdict { yes, no, open };
const char* name_of(Verdict verdict);

}  // namespace driftless
