// Model files as models: compiled, started, asked at events.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "apps/driftless/model/model_drawing.h"
#include "apps/driftless/model/model_text.h"
#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/program/limits.h"
#include "apps/driftless/program/names.h"

namespace driftless::cli {

namespace {

class FileModel final : public Model {
 public:
  FileModel(ModelText text, const std::vector<Setting>& settings, StateUnits units)
      : model_(std::move(text), settings, units, limits().reading) {
    static_cast<driftless::Model&>(*this) = model_;
    source = model_.text().file;
  }

  Start start(double t) const override { return model_.start(t); }
  std::variant<Stretch, ModelEnd> after(const Stretch& before, double t, ConstSpan state,
                                        const std::vector<std::size_t>& events) const override {
    return model_.after(before, t, state, events);
  }
  std::optional<std::variant<Stretch, ModelEnd>> after_crawling(const Stretch& stretch, double t,
                                                                ConstSpan state) const override {
    return model_.after_crawling(stretch, t, state);
  }
  std::variant<Stretch, ModelEnd> finish(const Stretch& last, double t, ConstSpan state) const override {
    return model_.finish(last, t, state);
  }
  bool finishes() const override { return model_.finishes(); }
  bool has_events() const override { return model_.has_events(); }
  bool is_state(const std::string& component) const override { return model_.is_state(component); }

  std::vector<OtherBranch> other_branches(const Stretch& start) const override {
    std::vector<OtherBranch> all;
    for (const OtherStructure& found : model_.compiled().other_structures(start.held))
      all.push_back({found.place.line, found.message, model_.text().render(Severity::warning, {found}),
                     found.difference, found.has_form});
    return all;
  }
  std::string text() const override { return model_.text().text; }
  std::string hash() const override { return hash_of(model_.text()); }

  std::optional<Drawing> drawing() const override { return drawing_of(model_.compiled()); }

  std::vector<Note> notes() const override {
    std::map<VariableRole, std::vector<std::string>> by_role;
    for (std::size_t i = 0; i < results.size(); ++i)
      by_role[model_.compiled().variables()[i].role].push_back(results[i].name);
    std::vector<Note> all = {{"form", model_.compiled().form()}};
    if (const std::string& why = model_.compiled().not_mechanical(); !why.empty())
      all.push_back({"not mechanical", why});
    for (const auto& [role, names] : by_role) all.push_back({name_of(role), fmt::format("{}", fmt::join(names, ", "))});
    for (const ModelConstraint& constraint : model_.compiled().constraints())
      all.push_back({"constraint", fmt::format("{} (line {})", constraint.text, constraint.place.line)});
    if (model_.compiled().eliminated() > 0)
      all.push_back({"eliminated", fmt::format("{} of {} variables: the solver does not see them, results have them",
                                               model_.compiled().eliminated(), results.size())});
    return all;
  }

  Json structure() const override {
    Json variables = Json::array(), constraints = Json::array();
    for (std::size_t i = 0; i < results.size(); ++i) {
      const ModelVariable& variable = model_.compiled().variables()[i];
      Json one = {{"name", results[i].name}, {"role", name_of(variable.role)}, {"unit", variable.unit}};
      if (!variable.of.empty()) one["of"] = variable.of;
      variables.push_back(std::move(one));
    }
    for (const ModelConstraint& constraint : model_.compiled().constraints())
      constraints.push_back({{"text", constraint.text}, {"line", constraint.place.line}, {"level", constraint.level}});
    return {{"form", model_.compiled().form()},
            {"not_mechanical", model_.compiled().not_mechanical()},
            {"variables", std::move(variables)},
            {"constraint_equations", std::move(constraints)},
            {"eliminated", model_.compiled().eliminated()}};
  }

 private:
  TextModel model_;
};

}  // namespace

std::unique_ptr<Model> load_model_file(const std::string& path, const std::vector<Setting>& settings,
                                       StateUnits units) {
  return std::make_unique<FileModel>(read_model_text(path), settings, units);
}

}  // namespace driftless::cli
