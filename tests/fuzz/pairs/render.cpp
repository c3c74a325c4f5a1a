// The ways in which one model is written.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "source_model.h"

namespace driftless::fuzz {

namespace {

using Naming = std::function<std::string(const std::string&)>;

std::string named(const std::string& text, const Naming& naming) {
  std::string out;
  for (std::size_t from = 0;;) {
    const std::size_t open = text.find('@', from);
    out += text.substr(from, open == std::string::npos ? open : open - from);
    if (open == std::string::npos) return out;
    const std::size_t close = text.find('@', open + 1);
    out += naming(text.substr(open + 1, close - open - 1));
    from = close + 1;
  }
}

struct Body {
  std::vector<std::string> declarations, equations;
};

Body body_of(const SourceModel& model, const Naming& naming) {
  Body body;
  for (const auto& [name, value] : model.parameters)
    body.declarations.push_back(fmt::format("parameter Real {} = {}", naming(name), value));
  for (const auto& [name, value] : model.states)
    body.declarations.push_back(fmt::format("Real {}(start = {}, fixed = true)", naming(name), value));
  for (const auto& name : model.computed) body.declarations.push_back(fmt::format("Real {}", naming(name)));
  for (const auto& name : model.counters)
    body.declarations.push_back(fmt::format("Integer {}(start = 0, fixed = true)", naming(name)));
  for (const auto& equation : model.equations) body.equations.push_back(named(equation, naming));
  for (const auto& when : model.whens) body.equations.push_back(named(when, naming));
  return body;
}

std::string text_of(const Body& body, const std::string& name) {
  return fmt::format("model {0}\n  {1};\nequation\n  {2};\nend {0};\n", name, fmt::join(body.declarations, ";\n  "),
                     fmt::join(body.equations, ";\n  "));
}

Rendering finished(const SourceModel& model, std::string kind, std::string text, const Naming& result) {
  Rendering made{std::move(kind), std::move(text), {}};
  for (const auto& state : model.states) made.names[state.name] = result(state.name);
  for (const auto& name : model.computed) made.names[name] = result(name);
  for (const auto& name : model.counters) made.names[name] = result(name);
  return made;
}

const Naming as_is = [](const std::string& name) { return name; };

Rendering renamed(const SourceModel& model, Random& random) {
  std::map<std::string, std::string> names;
  const Naming naming = [&](const std::string& name) {
    const auto [known, added] = names.try_emplace(name);
    if (added)
      known->second = fmt::format("{}{}_{}", random.chance(0.5) ? "a" : "z", random.integer(0, 9999), names.size());
    return known->second;
  };
  const std::string text = text_of(body_of(model, naming), "M");
  return finished(model, "renamed", text, naming);
}

Rendering reordered(const SourceModel& model, Random& random) {
  Body body = body_of(model, as_is);
  random.shuffle(body.declarations);
  random.shuffle(body.equations);
  return finished(model, "reordered", text_of(body, "M"), as_is);
}

// The parameters come from outside, through two models.
Rendering wrapped(const SourceModel& model) {
  std::string values;
  for (const auto& [name, value] : model.parameters)
    values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, value);
  SourceModel inner = model;
  for (auto& parameter : inner.parameters) parameter.value = 77.0;
  const std::string text = text_of(body_of(inner, as_is), "Part") +
                           fmt::format("model Box\n  extends Base(part({}));\nend Box;\n", values) +
                           "partial model Base\n  Part part;\nend Base;\nmodel M\n  Box box;\nend M;\n";
  return finished(model, "wrapped into components", text, [](const std::string& name) { return "box.part." + name; });
}

// States and parameters are elements of arrays.
Rendering as_arrays(const SourceModel& model) {
  std::map<std::string, std::string> names;
  std::vector<double> starts, values;
  for (const auto& [name, value] : model.states) {
    starts.push_back(value);
    names[name] = fmt::format("x[{}]", starts.size());
  }
  for (const auto& [name, value] : model.parameters) {
    values.push_back(value);
    names[name] = fmt::format("p[{}]", values.size());
  }
  const Naming naming = [&](const std::string& name) { return names.contains(name) ? names[name] : name; };
  Body body = body_of(model, naming);
  body.declarations.erase(body.declarations.begin(),
                          body.declarations.begin() + static_cast<std::ptrdiff_t>(names.size()));
  body.declarations.push_back(fmt::format("parameter Real p[{}] = {{{}}}", values.size(), fmt::join(values, ", ")));
  body.declarations.push_back(
      fmt::format("Real x[{}](start = {{{}}}, each fixed = true)", starts.size(), fmt::join(starts, ", ")));
  return finished(model, "with arrays", text_of(body, "M"), naming);
}

// Numbers in the place of parameters.
Rendering folded(const SourceModel& model) {
  std::map<std::string, std::string> numbers;
  for (const auto& [name, value] : model.parameters) numbers[name] = fmt::format("({})", value);
  SourceModel rest = model;
  rest.parameters.clear();
  const Naming naming = [&](const std::string& name) { return numbers.contains(name) ? numbers[name] : name; };
  return finished(model, "with parameters folded", text_of(body_of(rest, naming), "M"), naming);
}

}  // namespace

std::vector<Rendering> renderings(const SourceModel& model, Random& random) {
  return {finished(model, "as it is", text_of(body_of(model, as_is), "M"), as_is),
          renamed(model, random),
          reordered(model, random),
          wrapped(model),
          as_arrays(model),
          folded(model)};
}

}  // namespace driftless::fuzz
