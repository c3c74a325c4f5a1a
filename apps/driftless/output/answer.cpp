#include "apps/driftless/output/answer.h"

#include <utility>

namespace driftless::cli {

namespace {

std::string text;

}  // namespace

void answer(const Json& object) { text = json_text(object, 2) + '\n'; }

std::string take_answer() { return std::exchange(text, {}); }

}  // namespace driftless::cli
