#include "apps/driftless/model/model_drawing.h"

#include <algorithm>

#include "apps/driftless/model/model_text.h"
#include "apps/driftless/model/problem_files.h"
#include "driftless/modelfile/compiled/drawing.h"

namespace driftless::cli {

namespace {

Json shape_of(const FlatDrawing& drawing) {
  return {{"dimension", drawing.dimension}, {"links", drawing.links},   {"springs", drawing.springs},
          {"bodies", drawing.bodies},       {"ground", drawing.ground}, {"traces", drawing.traces}};
}

// Where the unknowns of the compiled file are among those of the problem; none if one that is no multiplier is missing.
std::optional<std::vector<std::optional<std::size_t>>> places(const Layout& layout, const Names& in_problem) {
  std::vector<std::optional<std::size_t>> all(layout.size());
  for (const Block& block : layout.blocks())
    for (std::size_t i = block.begin; i < block.begin + block.size; ++i) {
      const auto found = std::find(in_problem.begin(), in_problem.end(), layout.name(i));
      if (found != in_problem.end())
        all[i] = static_cast<std::size_t>(found - in_problem.begin());
      else if (block.symbol != "lambda")
        return std::nullopt;
    }
  return all;
}

}  // namespace

std::optional<Drawing> drawing_of(const CompiledModel& model) {
  const auto& flat = model.flat().drawing;
  if (!flat) return std::nullopt;
  const auto points = std::make_shared<DrawnPoints>(model);
  return Drawing{.shape = shape_of(*flat),
                 .coordinates = points->count(),
                 .points = [points](double t, ConstSpan values, Span out) { points->at(t, values, out); }};
}

std::optional<Drawing> drawing_of_problem(const std::string& problem, const Names& unknowns, double begin) {
  const ProblemFile file = problem_file(problem);
  const char* text = shipped_text(file.file);
  if (!text) return std::nullopt;
  std::vector<Setting> settings;
  for (const std::string& setting : file.settings) settings.push_back(setting_from(setting));
  std::vector<std::string> warnings;
  FlatModel flat = flat_model({file.file, text}, settings, {}, warnings);
  if (!flat.drawing) return std::nullopt;
  const Compilation compilation = compile(std::move(flat));
  if (!compilation.ok()) return std::nullopt;
  const CompiledModel& model = *compilation.model;
  const ModelStart start = model.start(begin);
  if (!start.ok()) return std::nullopt;
  const auto from = places(layout_of(model.equations(start.held)), names_in_model_file(problem, unknowns));
  if (!from) return std::nullopt;
  const auto points = std::make_shared<DrawnPoints>(model);
  return Drawing{.shape = shape_of(*model.flat().drawing),
                 .coordinates = points->count(),
                 .points = [points, from = *from, results = model.results(start.held), state = Vector(from->size()),
                            values = Vector(model.variables().size())](double t, ConstSpan x, Span out) mutable {
                   for (std::size_t i = 0; i < from.size(); ++i) state[i] = from[i] ? x[*from[i]] : 0.0;
                   results(t, state, values);
                   points->at(t, values, out);
                 }};
}

}  // namespace driftless::cli
