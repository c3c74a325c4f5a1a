#include "apps/driftless/output/json_text.h"

namespace driftless::cli {

namespace {

constexpr int deepest = 64;  // what walks through it later does so by recursion

}  // namespace

Json json_from(const std::string& text) {
  return Json::parse(text, [](int depth, Json::parse_event_t, Json&) {
    if (depth > deepest) throw Json::other_error::create(599, "nested too deeply", nullptr);
    return true;
  });
}

}  // namespace driftless::cli
