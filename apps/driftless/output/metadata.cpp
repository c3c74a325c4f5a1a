#include "apps/driftless/output/metadata.h"

#include <ctime>

namespace driftless::cli {

namespace {

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

Metadata metadata_of(const Model& model, const Plan& plan, const Run& run) {
  Metadata metadata = {{"program", "driftless"},
                       {"version", DRIFTLESS_VERSION},
                       {"created", now_utc()},
                       {"model", model.name},
                       {"title", model.title},
                       {"source", model.source},
                       {"index", index_of(run.start.stretch.equations)},
                       {"status", explanation_of(run.code).name}};
  if (const std::string hash = model.hash(); !hash.empty()) metadata["model_hash"] = "sha256:" + hash;
  metadata["options"] = plan.in_force;
  return metadata;
}

}  // namespace driftless::cli
