// Reference problems as models.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/driftless/model/model_drawing.h"
#include "apps/driftless/model/problem_files.h"
#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/program/names.h"
#include "driftless/integrate/consistent_start.h"
#include "testset/problem.h"

namespace driftless::cli {

namespace {

// The end of a run that nobody chose: the first time at which there is something to compare with.
double usual_end(const testset::Problem& problem) {
  return problem.references.empty() ? problem.begin + 1.0 : problem.references.front().time;
}

class ProblemModel final : public Model {
 public:
  ProblemModel(const std::string& problem_name, const std::vector<Setting>& settings)
      : problem_(testset::problem(problem_name)), start_(problem_.start), changed_(!settings.empty()) {
    name = problem_name;
    title = problem_.title;
    source = problem_prefix + problem_name;
    begin = problem_.begin;
    end = usual_end(problem_);
    const Names& unknowns = layout_of(problem_.equations).names();
    for (const Block& block : layout_of(problem_.equations).blocks())
      for (std::size_t i = block.begin; i < block.begin + block.size; ++i)
        results.push_back({unknowns[i], "", "", block.symbol});
    for (const Setting& setting : settings) {
      const auto found = std::find(unknowns.begin(), unknowns.end(), setting.name);
      if (found == unknowns.end())
        throw Stop(ExitCode::usage,
                   fmt::format("--set {}: {} has no unknown of this name{}\n  try:   driftless check {}", setting.name,
                               source, perhaps(setting.name, unknowns), source));
      start_[static_cast<std::size_t>(found - unknowns.begin())] = number_from(setting);
    }
  }

  Start start(double t) const override {
    const auto consistent = make_consistent(problem_.equations, t, start_);
    if (!consistent.ok()) throw FailedRun(consistent.failure());
    return start_of(*consistent, stretch(t, consistent->state));
  }

  std::variant<Stretch, ModelEnd> after(const Stretch&, double t, ConstSpan state,
                                        const std::vector<std::size_t>&) const override {
    return stretch(next_corner(t), Vector(state.begin(), state.end()));
  }

  // Its model file says what it looks like; that the program has it is all that the equations need.
  std::optional<Drawing> drawing() const override {
    return drawing_of_problem(name, layout_of(problem_.equations).names(), begin);
  }
  std::string text() const override {
    const ProblemFile file = problem_file(name);
    const char* model = shipped_text(file.file);
    if (!model) return {};
    std::string head = fmt::format("// The reference problem is C++. The same as a model file, {}", file.file);
    for (const std::string& setting : file.settings) head += ", --set " + setting;
    return head + ":\n\n" + model;
  }

  std::optional<Vector> reference(double t) const override {
    if (changed_) return std::nullopt;  // another start is another solution
    for (const auto& reference : problem_.references)
      if (reference.time == t) return reference.state;
    if (problem_.exact) return problem_.exact(t);
    return std::nullopt;
  }

 private:
  double next_corner(double t) const {
    const auto next = std::upper_bound(problem_.corners.begin(), problem_.corners.end(), t);
    return next == problem_.corners.end() ? std::numeric_limits<double>::infinity() : *next;
  }

  // Where its data are not smooth a problem is cut: just before a corner, so that no stage sees what is beyond.
  Stretch stretch(double t, Vector state) const {
    Stretch one{.begin = t, .equations = problem_.equations, .start = std::move(state)};
    if (const double corner = next_corner(t); std::isfinite(corner)) one.end = std::nextafter(corner, t);
    one.results = [](double, ConstSpan x, Span out) { std::copy(x.begin(), x.end(), out.begin()); };
    return one;
  }

  testset::Problem problem_;
  Vector start_;
  bool changed_;
};

}  // namespace

std::unique_ptr<Model> load_problem(const std::string& name, const std::vector<Setting>& settings) {
  const auto& known = testset::problem_names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw Stop(ExitCode::usage, fmt::format("there is no reference problem '{}'{}\n  try:   driftless problems", name,
                                            perhaps(name, known)));
  return std::make_unique<ProblemModel>(name, settings);
}

}  // namespace driftless::cli
