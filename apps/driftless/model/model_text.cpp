#include "apps/driftless/model/model_text.h"

#include "apps/driftless/model/text_file.h"
#include "apps/driftless/output/sha256.h"
#include "apps/driftless/output/utf8.h"
#include "driftless/core/phase.h"

namespace driftless::cli {

ModelText read_model_text(const std::string& path) {
  const Phase phase("reading");
  const std::string bytes = read_text_file(path);
  ModelText text{path, utf8(bytes)};
  if (text.text != bytes) text.hash = sha256(bytes);
  return text;
}

std::string hash_of(const ModelText& text) { return text.hash.empty() ? sha256(text.text) : text.hash; }

}  // namespace driftless::cli
