// fuzz_results [--count N] [--seed K] [--kind NAME] [--program FILE] [--keep FOLDER] [--seconds-each S]
//
// Spoils what the program reads besides models - results (HDF5), results of the benchmark, methods (JSON), matrices
// (CSV), checkpoints - and reads it: a page, a run or a sentence with a documented exit code, within seconds. Under the
// sanitizers:
//   cmake --preset asan && cmake --build --preset asan --target app_driftless fuzz_results
//   build/asan/bin/fuzz_results --count 5000 --keep spoilt
// Options as in fuzz_program.cpp. Reports from inside HDF5 are of the child that exists for them.
// A seed is one file, the same on every machine. Files that show something wrong are kept in FOLDER.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>

#include "corpus.h"
#include "reader.h"
#include "spoil.h"

namespace {

using namespace driftless::fuzz_results;
namespace fs = std::filesystem;

struct Settings {
  std::uint64_t count = 200, seed = 1, seconds_each = 60;
  std::string kind, program = DRIFTLESS_PROGRAM, keep;
};

std::optional<Settings> parse_arguments(int count, char** arguments) {
  Settings settings;
  const std::map<std::string_view, std::uint64_t*> numbers = {
      {"--count", &settings.count}, {"--seed", &settings.seed}, {"--seconds-each", &settings.seconds_each}};
  const std::map<std::string_view, std::string*> words = {
      {"--kind", &settings.kind}, {"--program", &settings.program}, {"--keep", &settings.keep}};
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i], value = arguments[i + 1];
    if (const auto number = numbers.find(name); number != numbers.end()) {
      if (std::from_chars(value.data(), value.data() + value.size(), *number->second).ec != std::errc())
        return std::nullopt;
    } else if (const auto word = words.find(name); word != words.end()) {
      *word->second = value;
    } else {
      return std::nullopt;
    }
  }
  return count % 2 == 1 ? std::optional(settings) : std::nullopt;
}

struct Tally {
  std::map<std::string, std::size_t> files, accepted;
  std::map<std::string, std::size_t> wrong;  // by what
  double slowest = 0.0;
  std::string slowest_file;
};

void attack(const std::vector<Sample>& corpus, std::uint64_t seed, const Settings& settings, Tally& tally) {
  std::mt19937_64 random(seed);
  const Sample& sample = corpus[random() % corpus.size()];
  const std::string bytes = spoilt(sample, corpus, random);
  const auto begin = std::chrono::steady_clock::now();
  const Reading reading = read(sample, bytes, settings.program, static_cast<unsigned>(settings.seconds_each), random);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (seconds > tally.slowest) {
    tally.slowest = seconds;
    tally.slowest_file = fmt::format("{}, seed {}", sample.kind, seed);
  }
  ++tally.files[sample.kind];
  tally.accepted[sample.kind] += reading.accepted;
  if (reading.complaint.empty()) return;
  if (tally.wrong[reading.complaint]++ < 5) fmt::print("seed {}, {}: {}\n", seed, sample.kind, reading.complaint);
  if (settings.keep.empty()) return;
  fs::create_directories(settings.keep);
  write_bytes(fs::path(settings.keep) / fmt::format("{}{}", seed, sample.ending), bytes);
}

}  // namespace

int main(int count, char** arguments) {
  auto settings = parse_arguments(count, arguments);
  if (!settings) {
    fmt::print(stderr,
               "fuzz_results [--count N] [--seed K] [--kind hdf5|bench|method|matrix|checkpoint] [--program FILE] "
               "[--keep FOLDER] [--seconds-each S]\n");
    return 2;
  }
  if (!settings->keep.empty()) settings->keep = fs::absolute(settings->keep);
  const fs::path folder = fs::temp_directory_path() / fmt::format("driftless_fuzz_results_{}", getpid());
  fs::create_directories(folder);
  fs::current_path(folder);
  std::vector<Sample> corpus = make_corpus(DRIFTLESS_SOURCE_DIR, settings->program);
  if (!settings->kind.empty()) std::erase_if(corpus, [&](const Sample& s) { return s.kind != settings->kind; });
  if (corpus.empty()) {
    fmt::print(stderr, "there is nothing to spoil\n");
    return 2;
  }
  Tally tally;
  for (std::uint64_t k = 0; k < settings->count; ++k) attack(corpus, settings->seed + k, *settings, tally);
  for (const auto& [kind, files] : tally.files)
    fmt::print("{:10} {:6} spoilt files, {:6} read all the same\n", kind, files, tally.accepted[kind]);
  fmt::print("slowest {:.2f} s: {}\n", tally.slowest, tally.slowest_file);
  for (const auto& [what, times] : tally.wrong) fmt::print("WRONG {} times: {}\n", times, what);
  fs::current_path("/");
  fs::remove_all(folder);
  return tally.wrong.empty() ? 0 : 1;
}
