// Other values of the parameters of a text: without a compilation where nothing that was decided changes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/simulate/text_model.h"
#include "driftless/simulate/text_modes.h"

namespace driftless {

namespace {

constexpr std::size_t most_compiled = 8;

const FlatParameter* find_parameter(const FlatModel& flat, const std::string& name) {
  const auto found = std::ranges::find_if(flat.parameters, [&](const FlatParameter& parameter) {
    return !parameter.is_constant && (parameter.name == name || unquoted(parameter.name) == name);
  });
  return found == flat.parameters.end() ? nullptr : &*found;
}

void require_value(const FlatParameter& parameter, double value) {
  using enum FlatParameter::Type;
  const bool fits = parameter.type == real      ? std::isfinite(value)
                    : parameter.type == integer ? value == std::round(value) && std::abs(value) <= 9007199254740992.0
                                                : value == 0.0 || value == 1.0;
  if (!fits) throw Misuse(fmt::format("the parameter '{}' cannot be {}", parameter.name, value));
}

// As a text has it that is read again: to the last bit.
std::string text_of(const FlatParameter& parameter, double value) {
  if (parameter.type == FlatParameter::Type::boolean) return value != 0.0 ? "true" : "false";
  return parameter.type == FlatParameter::Type::integer ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

}  // namespace

const FlatParameter& TextModel::parameter(const std::string& wanted) const {
  const FlatParameter* found = find_parameter(compiled_.flat(), wanted);
  if (found == nullptr) throw Misuse(fmt::format("the model has no parameter '{}' that can be set", wanted));
  if (found->type > FlatParameter::Type::boolean)
    throw Misuse(fmt::format("the parameter '{}' is no number; state it where the model is made", wanted));
  return *found;
}

// What is there already, if it fits.
std::optional<CompiledModel> TextModel::fitting(const std::vector<Parameter>& values) const {
  const std::lock_guard lock(all_->mutex);
  for (std::size_t k = 0; k < all_->all.size(); ++k) {
    const auto& [one, own] = all_->all[k];
    std::vector<std::optional<double>> set;
    bool known = std::ranges::all_of(own, [&](const Parameter& each) {
      return std::ranges::find(values, each.name, &Parameter::name) != values.end();
    });
    for (const Parameter& value : values) {
      const FlatParameter* found = find_parameter(one.flat(), value.name);
      known = known && found != nullptr && found->setting;
      if (!known) break;
      set.resize(std::max(set.size(), *found->setting + 1));
      set[*found->setting] = value.value;
    }
    if (!known) continue;
    if (auto fits = one.with(std::move(set))) {
      const auto place = all_->all.begin() + static_cast<std::ptrdiff_t>(k);
      std::rotate(all_->all.begin(), place, place + 1);
      return fits;
    }
  }
  return std::nullopt;
}

CompiledModel TextModel::compiled_for(const std::vector<Parameter>& values) const {
  if (!has_text_) throw Misuse("these values change the structure of the model, and there is no text to compile again");
  std::vector<Setting> settings;
  for (const Setting& setting : settings_)
    if (std::ranges::find(values, setting.name, &Parameter::name) == values.end()) settings.push_back(setting);
  for (const Parameter& value : values) settings.push_back({value.name, text_of(parameter(value.name), value.value)});
  std::vector<std::string> ignored;
  CompiledModel made = compile_text(*text_, settings, units_, limits_, ignored);
  const std::lock_guard lock(all_->mutex);
  all_->all.insert(all_->all.begin(), {made, values});
  if (all_->all.size() > most_compiled) all_->all.pop_back();
  return made;
}

void TextModel::set(const std::vector<Parameter>& values) {
  std::vector<Parameter> all = values_;
  for (const Parameter& value : values) {
    const FlatParameter& known = parameter(value.name);
    require_value(known, value.value);
    const auto before = std::ranges::find(all, known.name, &Parameter::name);
    if (before == all.end())
      all.push_back({known.name, value.value});
    else
      before->value = value.value;
  }
  auto fits = fitting(all);
  const bool same = fits && &fits->flat() == &compiled_.flat();
  modes_ = std::make_shared<TextModes>();
  compiled_ = fits ? *std::move(fits) : compiled_for(all);
  values_ = std::move(all);
  if (same)
    add_ranges();
  else
    describe();
}

Parameters TextModel::parameters() const {
  Names names;
  Vector values;
  for (const FlatParameter& parameter : compiled_.flat().parameters)
    if (!parameter.is_constant && parameter.type <= FlatParameter::Type::boolean) {
      names.push_back(unquoted(parameter.name));
      values.push_back(compiled_.value(parameter.number));
    }
  return {std::move(names), std::move(values)};
}

std::unique_ptr<Model> TextModel::compiled_again() const {
  if (!has_text_) return nullptr;
  auto again = std::make_unique<TextModel>(*this);
  again->compiled_ = compiled_for(values_);
  again->modes_ = std::make_shared<TextModes>();
  again->describe();
  return again;
}

}  // namespace driftless
