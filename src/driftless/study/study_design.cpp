#include "driftless/study/study_design.h"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/core/failure.h"
#include "driftless/study/unit_samples.h"

namespace driftless {

namespace {

constexpr std::size_t most_runs = 1'000'000'000;

bool is_drawn(const Variation& variation) { return std::holds_alternative<Distribution>(variation.values); }
const Vector& list_of(const Variation& variation) { return std::get<Vector>(variation.values); }

std::size_t product(std::size_t a, std::size_t b) {
  if (b > 0 && a > most_runs / b)
    throw Misuse(fmt::format("the study would have more than {} runs; give fewer values", most_runs));
  return a * b;
}

}  // namespace

StudyDesign::StudyDesign(DesignOptions options) : options_(std::move(options)) {
  const auto add_name = [&](const std::string& name) {
    if (std::ranges::find(names_, name) != names_.end()) throw Misuse(fmt::format("'{}' is varied twice", name));
    names_.push_back(name);
  };
  for (const std::string& name : options_.table_names) add_name(name);
  for (const Variation& variation : options_.variations) add_name(variation.name);
  if (names_.empty()) throw Misuse("a study needs something to vary");
  if (!options_.table_names.empty()) size_ = options_.table.size();
  std::size_t lists = 0, drawn = 0, in_step = 0;
  for (const Variation& variation : options_.variations) {
    if (is_drawn(variation)) {
      ++drawn;
      continue;
    }
    const std::size_t count = list_of(variation).size();
    if (options_.combination == Combination::grid)
      size_ = product(size_, count);
    else if (lists > 0 && count != in_step)
      throw Misuse(fmt::format("values that go in step must be equally many: '{}' has {}, the list before it {}",
                               variation.name, count, in_step));
    in_step = count;
    ++lists;
  }
  if (options_.combination == Combination::in_step && lists > 0) size_ = product(size_, in_step);
  if (drawn > 0 && options_.samples == 0)
    throw Misuse("something is drawn from a distribution: say how many samples there shall be");
  if (drawn == 0 && options_.samples > 0)
    throw Misuse("samples are asked for, and nothing is drawn from a distribution");
  if (drawn > most_sobol_dimensions && options_.sampling == SampleRule::sobol)
    throw Misuse(
        fmt::format("Sobol's points are here for up to {} quantities, and {} are drawn; take a Latin "
                    "hypercube",
                    most_sobol_dimensions, drawn));
  if (drawn > 0) samples_ = options_.samples;
  size_ = product(size_, samples_);
}

Vector StudyDesign::values(std::size_t run) const {
  const std::size_t sample = run % samples_;
  std::size_t rest = run / samples_, drawn = 0;
  Vector values(names_.size());
  const std::size_t first = options_.table_names.size();
  const bool in_step = options_.combination == Combination::in_step;
  std::size_t step = 0, together = 1;
  for (const Variation& variation : options_.variations)
    if (in_step && !is_drawn(variation)) together = list_of(variation).size();
  if (in_step) {
    step = rest % together;
    rest /= together;
  }
  for (std::size_t k = options_.variations.size(); k-- > 0;) {
    const Variation& variation = options_.variations[k];
    if (is_drawn(variation)) continue;
    const Vector& list = list_of(variation);
    values[first + k] = list[in_step ? step : rest % list.size()];
    if (!in_step) rest /= list.size();
  }
  for (std::size_t k = 0; k < first; ++k) values[k] = options_.table[rest][k];
  for (std::size_t k = 0; k < options_.variations.size(); ++k) {
    const Variation& variation = options_.variations[k];
    if (!is_drawn(variation)) continue;
    const double share = unit_sample(options_.sampling, options_.seed, drawn++, sample, samples_);
    values[first + k] = quantile(std::get<Distribution>(variation.values), share);
  }
  return values;
}

}  // namespace driftless
