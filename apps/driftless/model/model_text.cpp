#include "apps/driftless/model/model_text.h"

#include "apps/driftless/model/text_file.h"
#include "apps/driftless/output/sha256.h"
#include "apps/driftless/output/utf8.h"
#include "driftless/core/phase.h"

namespace driftless::cli {

ModelText read_model_text(const std::string& path) {
  const Phase phase("reading");
  const std::string text = read_text_file(path);
  return {path, utf8(text), sha256(text)};
}

}  // namespace driftless::cli
