// driftless new: a commented model to start from.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <memory>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/templates.h"
#include "apps/driftless/model/text_file.h"
#include "apps/driftless/output/output_file.h"
#include "apps/driftless/output/terminal.h"

namespace driftless::cli {

namespace {

struct NewRequest {
  std::string name, kind = templates().front().name;
  bool force = false;
};

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const Template& one : templates()) names.emplace_back(one.name);
  return names;
}

ExitCode write_new(const NewRequest& request) {
  std::filesystem::path path(request.name);
  if (path.extension() != ".mo") path += ".mo";
  const std::string name = path.stem();
  if (!is_identifier(name))
    throw Stop(
        ExitCode::usage,
        fmt::format("'{}' cannot be the name of a model: letters, digits and underscores, no digit first", name));
  if (type_of(path) != std::filesystem::file_type::not_found && !request.force)
    throw Stop(ExitCode::file, fmt::format("'{}' is there already; --force replaces it", path.string()));
  PendingFile file(path.string());
  for (const Template& one : templates())
    if (request.kind == one.name) file.write(filled_in(one, name));
  file.commit();
  say("{0}: a commented {1} to start from. Next:\n\n  driftless check {0}\n  driftless solve {0} --output {2}\n",
      path.string(), request.kind, std::filesystem::path(path).replace_extension(".csv").string());
  return ExitCode::ok;
}

}  // namespace

Command new_command() {
  const auto request = std::make_shared<NewRequest>();
  std::string described;
  for (const Template& one : templates())
    described += fmt::format("{}{}: {}", described.empty() ? "" : "; ", one.name, one.summary);
  return {
      .name = "new",
      .summary = "write a commented model to start from",
      .details = "Writes NAME.mo, a complete model that runs as it is, and says what each part is for.",
      .examples =
          "driftless new swing\n"
          "driftless new rectifier --kind circuit",
      .options = {{.name = "NAME",
                   .target = &request->name,
                   .text = "of the model, and of the file without .mo",
                   .required = true},
                  {.name = "--kind", .target = &request->kind, .value = "WORD", .text = described, .choices = kinds()},
                  option("--force", &request->force, "replace a file that is there already")},
      .run = [request] { return write_new(*request); }};
}

}  // namespace driftless::cli
