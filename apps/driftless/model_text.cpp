#include "apps/driftless/model_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "apps/driftless/exit_codes.h"

namespace driftless::cli {

ModelText read_model_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  const bool readable = file && !std::filesystem::is_directory(path);
  if (readable) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!readable || file.bad()) throw Stop(ExitCode::file, fmt::format("cannot read '{}'", path));
  return {path, std::move(text)};
}

}  // namespace driftless::cli
