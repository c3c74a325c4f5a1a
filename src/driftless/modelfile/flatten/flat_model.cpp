#include "driftless/modelfile/flatten/flat_model.h"

#include <fmt/format.h>

namespace driftless {

namespace {

std::string text_of(const FlatMessageValue& value, double number) {
  std::string out;
  switch (value.format) {
    case FlatMessageValue::Format::real: out = fmt::format("{:.{}g}", number, value.significant_digits); break;
    case FlatMessageValue::Format::integer: out = fmt::format("{:.0f}", number); break;
    case FlatMessageValue::Format::boolean: out = number != 0.0 ? "true" : "false"; break;
    case FlatMessageValue::Format::literal: {
      const auto place = static_cast<std::size_t>(number) - 1;
      out = place < value.literals.size() ? value.literals[place] : fmt::format("{:.0f}", number);
      break;
    }
    case FlatMessageValue::Format::pattern: return fmt::format(fmt::runtime(value.pattern), number);
    case FlatMessageValue::Format::whole_pattern:
      return fmt::format(fmt::runtime(value.pattern), static_cast<long long>(number));
  }
  return value.left_justified ? fmt::format("{:<{}}", out, value.minimum_length)
                              : fmt::format("{:>{}}", out, value.minimum_length);
}

}  // namespace

// Flags, width, precision and conversion; fmt aligns numbers to the right and signs them as C does.
std::optional<NumberPattern> number_pattern(std::string_view format) {
  constexpr std::size_t most_digits = 2;  // of width and precision
  std::size_t at = 0;
  const auto next = [&] { return at < format.size() ? format[at] : '\0'; };
  const auto digits = [&] {
    const std::size_t from = at;
    while (next() >= '0' && next() <= '9') ++at;
    return std::string(format.substr(from, at - from));
  };
  bool left = false, zeros = false, plus = false, space = false, other = false;
  for (bool more = true; more;) {
    switch (next()) {
      case '-': left = true; break;
      case '0': zeros = true; break;
      case '+': plus = true; break;
      case ' ': space = true; break;
      case '#': other = true; break;
      default: more = false;
    }
    if (more) ++at;
  }
  const std::string width = digits();
  std::string precision;
  if (next() == '.') {
    ++at;
    precision = digits();
    if (precision.empty()) precision = "0";
  }
  const char conversion = next();
  const bool whole = conversion == 'd' || conversion == 'i' || conversion == 'u' || conversion == 'x' ||
                     conversion == 'X' || conversion == 'o';
  const bool real = conversion == 'f' || conversion == 'F' || conversion == 'e' || conversion == 'E' ||
                    conversion == 'g' || conversion == 'G';
  if (at + 1 != format.size() || !(whole || real) || width.size() > most_digits || precision.size() > most_digits ||
      (whole && !precision.empty()))
    return std::nullopt;
  std::string pattern = left ? "{:<" : "{:";
  if (plus)
    pattern += '+';
  else if (space)
    pattern += ' ';
  if (other) pattern += '#';
  if (zeros && !left) pattern += '0';
  pattern += width;
  if (!precision.empty()) pattern += '.' + precision;
  pattern += conversion == 'i' || conversion == 'u' ? 'd' : conversion;
  return NumberPattern{pattern + '}', whole};
}

std::string fill_in(const std::string& message, const std::vector<FlatMessageValue>& values,
                    const std::vector<double>& numbers) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t i = 0; i < values.size() && i < numbers.size(); ++i) {
    const std::size_t to = std::min(std::max(values[i].offset, from), message.size());
    out += message.substr(from, to - from);
    out += text_of(values[i], numbers[i]);
    from = to;
  }
  return out + message.substr(from);
}

void forget_parameters(FlatModel& model) {
  model.graph.set_trace(nullptr);
  for (FlatVariable& variable : model.variables)
    for (std::optional<Number>* number : {&variable.min, &variable.max})
      if (*number) *number = (*number)->at_compilation();
  for (FlatParameter& parameter : model.parameters) {
    parameter.number = parameter.value;
    parameter.setting.reset();
  }
}

}  // namespace driftless
