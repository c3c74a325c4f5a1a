#include "tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace driftless::fuzz {

namespace {

// Messages that differ in names, numbers and equations only are one.
std::string without_details(std::string message) {
  message = message.substr(0, message.find('\n'));
  message = std::regex_replace(message, std::regex("/\\S*made.mo:[0-9:]*"), "MODEL");
  message = std::regex_replace(message, std::regex("'+[^']*'+( \\(line [0-9]+\\))?"), "EQUATION");
  message = std::regex_replace(message, std::regex("\\b[a-z][0-9]+(\\[[0-9]+\\])?\\b"), "UNKNOWN");
  message = std::regex_replace(message, std::regex("[-+]?[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?"), "NUMBER");
  message = std::regex_replace(message, std::regex("UNKNOWN(,( and)? UNKNOWN)+"), "UNKNOWNS");
  return std::regex_replace(message, std::regex("EQUATION(, EQUATION)+"), "EQUATIONS").substr(0, 200);
}

}  // namespace

void Tally::count(std::uint64_t seed, const Verdict& verdict) {
  ++models_;
  switch (verdict.kind) {
    case Verdict::Kind::right: errors_.push_back(verdict.worst); break;
    case Verdict::Kind::wrong: ++wrong_; break;
    case Verdict::Kind::refused:
      ++refused_;
      Refusals& same = refusals_[without_details(verdict.message)];
      if (same.count++ == 0) same.first_seed = seed;
  }
}

void Tally::print() const {
  for (const auto& [message, same] : refusals_)
    fmt::print("refused {} times, first with seed {}: {}\n", same.count, same.first_seed, message);
  std::vector<double> errors = errors_;
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double share) {
    return errors.empty() ? 0.0 : errors[static_cast<std::size_t>(share * static_cast<double>(errors.size() - 1))];
  };
  fmt::print(
      "{} models: {} wrong, {} refused; errors in tolerances: median {:.2g}, nine of ten below {:.2g}, largest "
      "{:.2g}\n",
      models_, wrong_, refused_, at(0.5), at(0.9), at(1.0));
}

bool Tally::passed(double percent_refused) const {
  return wrong_ == 0 && 100.0 * static_cast<double>(refused_) <= percent_refused * static_cast<double>(models_);
}

}  // namespace driftless::fuzz
