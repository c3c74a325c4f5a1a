#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace bench {

namespace {

constexpr const char* families[] = {"RADAU5", "IDA", "DASPK"};

std::string milliseconds(const std::optional<AtError>& at) {
  return at ? fmt::format("{:.3g}", 1e3 * at->seconds) : "never";
}

struct Best {
  const Entry* entry = nullptr;
  AtError at = {};
};

// Of the codes that `counts` chooses, the fastest one at this error.
template <class Counts>
Best best_of(const Measured& measured, double error, Quantity quantity, Counts&& counts) {
  Best best;
  for (const Entry& entry : measured.entries) {
    if (!counts(entry)) continue;
    const auto at = at_error(entry, error, quantity);
    if (at && (!best.entry || at->seconds < best.at.seconds)) best = {&entry, *at};
  }
  return best;
}

bool is_peer(const Entry& entry) { return !entry.ours; }
const Entry* first_of_ours(const Measured& measured) {
  const auto found =
      std::find_if(measured.entries.begin(), measured.entries.end(), [](const Entry& e) { return e.ours; });
  return found == measured.entries.end() ? nullptr : &*found;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// NaN has no place in JSON: null.
std::string number_as_json(double x) { return std::isfinite(x) ? fmt::format("{:.3g}", x) : "null"; }

std::string row_as_json(const Row& row) {
  if (!row.ok()) return fmt::format(R"({{"tolerance": {:.3g}, "failure": {}}})", row.tolerance, quoted(row.failure));
  return fmt::format(
      R"({{"tolerance": {:.3g}, "seconds": {:.4g}, "median_seconds": {:.4g}, "repetitions": {}, "error_q": {}, )"
      R"("error_v": {}, "error_lambda": {}, "steps": {}, "evaluations": {}, "jacobians": {}, "factorisations": {}}})",
      row.tolerance, row.least, row.median, row.repetitions, number_as_json(row.errors.q), number_as_json(row.errors.v),
      number_as_json(row.errors.lambda), row.steps, row.evaluations, row.jacobians, row.factorisations);
}

// The time at equal error of one code, for all quantities and errors: {"q": {"1e-04": 0.0012, ...}, ...}; null: never.
std::string times_as_json(const Entry& entry) {
  std::string text = "{";
  for (const Quantity quantity : {Quantity::q, Quantity::qv, Quantity::qvl}) {
    text += fmt::format(R"({}"{}": {{)", text.size() == 1 ? "" : ", ", name_of(quantity));
    for (int digits = 3; digits <= 10; ++digits) {
      const auto at = at_error(entry, std::pow(10.0, -digits), quantity);
      text += fmt::format(R"({}"1e-{:02}": {})", digits == 3 ? "" : ", ", digits,
                          at ? fmt::format("{:.4g}", at->seconds) : "null");
    }
    text += "}";
  }
  return text + "}";
}

}  // namespace

const char* name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::q: return "q";
    case Quantity::qv: return "q and v";
    default: return "q, v and lambda";
  }
}

std::string as_text(const Measured& measured, const std::vector<double>& errors, Quantity quantity) {
  std::string text = fmt::format("{}, t = {}; reference: {}\nmilliseconds at equal achieved error of {}\n\n{:42}",
                                 measured.title, measured.end, measured.reference_source, name_of(quantity), "");
  for (const double error : errors) text += fmt::format("  {:>9.0e}  evaluations", error);
  text += '\n';
  for (const Entry& entry : measured.entries) {
    text += fmt::format("{:42}", entry.code);
    for (const double error : errors) {
      const auto at = at_error(entry, error, quantity);
      text += fmt::format("  {:>9}  {:>11}", milliseconds(at),
                          at ? fmt::format("{}", entry.rows[at->row].evaluations) : "-");
    }
    text += '\n';
  }
  return text;
}

std::string rows_as_text(const Measured& measured) {
  std::string text;
  for (const Entry& entry : measured.entries) {
    text += fmt::format("\n{}\n  {:>7} {:>7} {:>8} {:>7} {:>7} {:>9} {:>9} {:>9} {:>10} {:>10} {:>5}\n", entry.code,
                        "tol", "steps", "f", "J", "LU", "error q", "v", "lambda", "least ms", "median ms", "runs");
    for (const Row& row : entry.rows)
      if (row.ok())
        text += fmt::format("  {:7.1e} {:7} {:8} {:7} {:7} {:9.1e} {:9.1e} {:9.1e} {:10.4f} {:10.4f} {:5}\n",
                            row.tolerance, row.steps, row.evaluations, row.jacobians, row.factorisations, row.errors.q,
                            row.errors.v, row.errors.lambda, 1e3 * row.least, 1e3 * row.median, row.repetitions);
      else
        text += fmt::format("  {:7.1e} {}\n", row.tolerance, row.failure);
  }
  return text;
}

std::string as_json(const Measured& measured, double error, Quantity quantity) {
  std::string text =
      fmt::format(R"({{"benchmark": "driftless", "problem": {}, "title": {}, "reference": {}, "target_error": {:.3g}, )"
                  R"("end": {}, "quantity": "{}", "results": [)",
                  quoted(measured.problem), quoted(measured.title), quoted(measured.reference_source), error,
                  measured.end, name_of(quantity));
  const char* separator = "\n";
  for (const Entry& entry : measured.entries) {
    const auto at = at_error(entry, error, quantity);
    text += fmt::format(R"({}  {{"code": {}, "ours": {}, )", separator, quoted(entry.code), entry.ours);
    if (at)
      text += fmt::format(R"("seconds": {:.4g}, "error": {:.3g}, "evaluations": {}, "tolerance": {:.3g})", at->seconds,
                          error_of(entry.rows[at->row], quantity), entry.rows[at->row].evaluations,
                          entry.rows[at->row].tolerance);
    else
      text += R"("seconds": null, "error": null, "evaluations": null, "tolerance": null)";
    text += fmt::format(",\n   \"at_error\": {},\n   \"rows\": [", times_as_json(entry));
    for (std::size_t k = 0; k < entry.rows.size(); ++k)
      text += (k == 0 ? "\n    " : ",\n    ") + row_as_json(entry.rows[k]);
    text += "]}";
    separator = ",\n";
  }
  return text + "\n]}\n";
}

std::string as_csv(const Measured& measured) {
  std::string text =
      "code,tolerance,error_q,error_v,error_lambda,seconds,median_seconds,repetitions,steps,evaluations,jacobians,"
      "factorisations,failure\n";
  for (const Entry& entry : measured.entries)
    for (const Row& row : entry.rows)
      text += fmt::format("\"{}\",{:.3g},{:.3g},{:.3g},{:.3g},{:.4g},{:.4g},{},{},{},{},{},\"{}\"\n", entry.code,
                          row.tolerance, row.errors.q, row.errors.v, row.errors.lambda, row.least, row.median,
                          row.repetitions, row.steps, row.evaluations, row.jacobians, row.factorisations, row.failure);
  return text;
}

std::string as_markdown(const Measured& measured, const std::vector<double>& errors, Quantity quantity) {
  std::string text = "| error |", line = "|---|";
  for (const Entry& entry : measured.entries)
    if (entry.ours) {
      text += fmt::format(" {} |", entry.code);
      line += "--:|";
    }
  for (const char* family : families) {
    text += fmt::format(" {} |", family);
    line += "--:|";
  }
  text += " best peer / driftless |\n" + line + "--:|\n";
  for (const double error : errors) {
    text += fmt::format("| {:.0e} |", error);
    for (const Entry& entry : measured.entries)
      if (entry.ours) text += fmt::format(" {} |", milliseconds(at_error(entry, error, quantity)));
    for (const std::string family : families) {
      const Best best =
          best_of(measured, error, quantity, [&](const Entry& e) { return is_peer(e) && e.code.starts_with(family); });
      text += best.entry
                  ? fmt::format(" {:.3g} ({}) |", 1e3 * best.at.seconds, best.entry->code.substr(family.size() + 1))
                  : std::string(" never |");
    }
    const Best peer = best_of(measured, error, quantity, is_peer);
    const Entry* ours = first_of_ours(measured);
    const auto our_time = ours ? at_error(*ours, error, quantity) : std::nullopt;
    text += peer.entry && our_time ? fmt::format(" {:.2f} |\n", peer.at.seconds / our_time->seconds) : " - |\n";
  }
  return text;
}

std::string ratios_as_markdown(const std::vector<Measured>& all, const std::vector<double>& errors, Quantity quantity) {
  std::string text = "| problem |", line = "|---|";
  for (const double error : errors) {
    text += fmt::format(" {:.0e}: driftless | best peer | ratio |", error);
    line += "--:|--:|--:|";
  }
  text += "\n" + line + "\n";
  for (const Measured& measured : all) {
    text += fmt::format("| {} |", measured.problem);
    for (const double error : errors) {
      const Entry* ours = first_of_ours(measured);
      const auto our_time = ours ? at_error(*ours, error, quantity) : std::nullopt;
      const Best peer = best_of(measured, error, quantity, is_peer);
      text += fmt::format(" {} |", milliseconds(our_time));
      text += peer.entry ? fmt::format(" {:.3g} ({}) |", 1e3 * peer.at.seconds, peer.entry->code) : " never |";
      text += peer.entry && our_time ? fmt::format(" {:.2f} |", peer.at.seconds / our_time->seconds) : " - |";
    }
    text += '\n';
  }
  return text;
}

std::string honesty_as_markdown(const std::vector<Measured>& all) {
  struct Sum {
    double logs[3] = {}, count[3] = {};
    std::size_t runs = 0, failures = 0;
  };
  std::vector<std::string> order;
  std::map<std::string, Sum> sums;
  for (const Measured& measured : all)
    for (const Entry& entry : measured.entries) {
      if (!sums.contains(entry.code)) order.push_back(entry.code);
      Sum& sum = sums[entry.code];
      for (const Row& row : entry.rows) {
        if (row.tolerance < 0.9e-10 || row.tolerance > 1.1e-4 || row.failure == "not tried") continue;
        ++sum.runs;
        if (!row.ok()) {
          ++sum.failures;
          continue;
        }
        const double errors[3] = {row.errors.q, row.errors.v, row.errors.lambda};
        for (std::size_t k = 0; k < 3; ++k)
          if (errors[k] > 0.0) {
            sum.logs[k] += std::log(std::max(errors[k], 1e-16) / row.tolerance);
            ++sum.count[k];
          }
      }
    }
  std::string text = "| code | q | v | lambda | failures of runs |\n|---|--:|--:|--:|--:|\n";
  for (const std::string& code : order) {
    const Sum& sum = sums[code];
    text += fmt::format("| {} |", code);
    for (std::size_t k = 0; k < 3; ++k)
      text += sum.count[k] > 0.0 ? fmt::format(" {:.2g} |", std::exp(sum.logs[k] / sum.count[k])) : " - |";
    text += fmt::format(" {} of {} |\n", sum.failures, sum.runs);
  }
  return text;
}

}  // namespace bench
