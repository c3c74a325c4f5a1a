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
  }
  return value.left_justified ? fmt::format("{:<{}}", out, value.minimum_length)
                              : fmt::format("{:>{}}", out, value.minimum_length);
}

}  // namespace

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
