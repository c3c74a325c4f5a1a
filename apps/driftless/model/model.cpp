#include "apps/driftless/model/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "apps/driftless/model/text_file.h"
#include "apps/driftless/program/exit_codes.h"
#include "driftless/core/number_text.h"
#include "testset/problem.h"

namespace driftless::cli {

std::string chosen_words(const Start& start) {
  constexpr std::size_t shown = 6;
  if (start.chosen.empty()) return {};
  std::vector<std::string> words;
  for (const ChosenValue& chosen : start.chosen)
    if (words.size() < shown) words.push_back(fmt::format("{} = {:.6g}", chosen.name, chosen.value + 0.0));
  if (start.chosen.size() > shown) words.push_back(fmt::format("{} more", start.chosen.size() - shown));
  return fmt::format("{}, not stated", fmt::join(words, ", "));
}

Json start_as_json(const Start& start) {
  Json moves = Json::object(), chosen = Json::object();
  for (const StartChange& change : start.changes) moves[change.name] = {{"from", change.from}, {"to", change.to}};
  for (const ChosenValue& one : start.chosen) chosen[one.name] = one.value;
  return {{"moves", std::move(moves)}, {"chosen", std::move(chosen)}};
}

Setting setting_from(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Stop(ExitCode::usage, fmt::format("--set wants name=value, not '{}'", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

double number_from(const Setting& setting) {
  const auto value = finite_number_in(setting.value);
  if (!value)
    throw Stop(ExitCode::usage, fmt::format("--set {0}={1}: '{1}' is not a number", setting.name, setting.value));
  return *value;
}

std::unique_ptr<Model> load_model(const std::string& source, const std::vector<Setting>& settings, StateUnits units) {
  const std::string prefix = problem_prefix;
  if (source.rfind(prefix, 0) == 0) return load_problem(source.substr(prefix.size()), settings);
  if (type_of(source) == std::filesystem::file_type::not_found) {
    const auto& problems = testset::problem_names();
    if (std::find(problems.begin(), problems.end(), source) != problems.end())
      throw Stop(ExitCode::file,
                 fmt::format("there is no file '{0}'\n  try:   {1}{0}, the reference problem", source, problem_prefix));
    std::error_code error;
    if (std::filesystem::exists(source + ".mo", error))
      throw Stop(ExitCode::file, fmt::format("there is no file '{0}'\n  try:   {0}.mo", source));
    throw Stop(ExitCode::file, fmt::format("there is no file '{}'", source));
  }
  return load_model_file(source, settings, units);
}

}  // namespace driftless::cli
