#include "apps/driftless/study/shard.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "apps/driftless/program/exit_codes.h"
#include "driftless/core/number_text.h"

namespace driftless::cli {

namespace {

std::optional<std::size_t> number_of(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return std::nullopt;
  const auto value = number_in<std::size_t>(text);
  if (!value)
    throw Stop(ExitCode::usage, fmt::format("the environment says {}={}, which is no number\n  try:   "
                                            "--shard k/n, or --shard 1/1 for all",
                                            variable, text));
  return value;
}

struct Part {
  std::size_t number, of;  // from 0 on
  std::string from;
};

// Tasks of an array need not begin at 0, and may have a step.
std::optional<Part> slurm_array() {
  const auto task = number_of("SLURM_ARRAY_TASK_ID"), count = number_of("SLURM_ARRAY_TASK_COUNT");
  if (!task || !count) return std::nullopt;
  const std::size_t first = number_of("SLURM_ARRAY_TASK_MIN").value_or(0);
  const std::size_t step = number_of("SLURM_ARRAY_TASK_STEP").value_or(1);
  const bool regular = step > 0 && *task >= first && (*task - first) % step == 0 && (*task - first) / step < *count;
  if (!regular)
    throw Stop(ExitCode::usage, fmt::format("task {} of this Slurm array has no place among {} tasks from {} on\n  "
                                            "try:   --array with a plain range, or --shard k/n",
                                            *task, *count, first));
  return Part{(*task - first) / step, *count, "SLURM_ARRAY_TASK_ID"};
}

// A batch script has SLURM_PROCID as well, and is alone; only what srun starts has SLURM_STEP_NUM_TASKS.
std::optional<Part> launched() {
  struct Launcher {
    const char *rank, *size;
  };
  for (const auto& [rank, size] :
       {Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, Launcher{"PMI_RANK", "PMI_SIZE"},
        Launcher{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"}, Launcher{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}) {
    const auto number = number_of(rank), of = number_of(size);
    if (!number || !of) continue;
    if (*number >= *of)
      throw Stop(ExitCode::usage,
                 fmt::format("the environment says {}={} and {}={}\n  try:   --shard k/n", rank, *number, size, *of));
    return Part{*number, *of, rank};
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> Shard::runs(std::size_t total) const {
  std::vector<std::size_t> all;
  for (std::size_t run = number - 1; run < total; run += of) all.push_back(run);
  return all;
}

std::string Shard::label() const { return fmt::format("{}-of-{}", number, of); }

std::string Shard::path(const std::string& whole) const {
  if (is_all()) return whole;
  const std::filesystem::path path(whole);
  return path.parent_path() / (path.stem().string() + '.' + label() + path.extension().string());
}

Shard shard_from(const std::string& word) {
  if (!word.empty()) {
    const std::size_t slash = word.find('/');
    const auto number = number_in<std::size_t>(word.substr(0, slash));
    const auto of = slash == std::string::npos ? std::nullopt : number_in<std::size_t>(word.substr(slash + 1));
    if (!number || !of || *number < 1 || *number > *of)
      throw Stop(ExitCode::usage, fmt::format("--shard wants k/n, 1 <= k <= n, not '{}'", word));
    return {*number, *of, "--shard"};
  }
  const auto array = slurm_array(), process = launched();
  Shard shard;
  std::size_t number = 0;
  if (array) {
    number = array->number;
    shard.of = array->of;
    shard.from = array->from;
  }
  if (process && process->of > 1) {
    number = number * process->of + process->number;
    shard.of *= process->of;
    shard.from += (shard.from.empty() ? "" : ", ") + process->from;
    shard.crowded = true;
  }
  shard.number = number + 1;
  return shard;
}

}  // namespace driftless::cli
