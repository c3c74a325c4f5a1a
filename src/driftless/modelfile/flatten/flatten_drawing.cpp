// annotation(__driftless(points = [0, 0; x, y], links = [1, 2])): what an animation of the model shows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "driftless/modelfile/flatten/flatten_model.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

namespace {

constexpr std::array<std::string_view, 6> drawing_entries{"points", "links", "springs", "bodies", "ground", "traces"};
constexpr std::size_t most_points = 10'000;

template <std::size_t n>
void group(const std::vector<std::size_t>& numbers, std::vector<std::array<std::size_t, n>>& groups) {
  for (std::size_t k = 0; k < numbers.size(); k += n)
    std::copy_n(numbers.begin() + k, n, groups.emplace_back().begin());
}

}  // namespace

void ModelFlattener::require_drawing(const Modification& entry) {
  const std::string_view name = tree_.text(entry.name_range);
  if (std::ranges::find(drawing_entries, name) != drawing_entries.end()) return;
  Context::fail(entry.name_range, fmt::format("the annotation __driftless has no {}", quoted(std::string(name))),
                did_you_mean(name, drawing_entries));
}

void ModelFlattener::read_drawing() {
  FlatDrawing drawing;
  const Evaluator::Isolation isolation(evaluator_, Mode{.events = false});
  std::vector<const Modification*> others;
  for (const Modification& annotation : definition_.annotations) {
    if (tree_.names.text(annotation.name[0]) != "__driftless") continue;
    for (const Modification& entry : annotation.nested) {
      const auto name = tree_.text(entry.name_range);
      require_drawing(entry);
      if (entry.value == no_node) Context::fail(entry.range, fmt::format("'{}' of a drawing needs a value", name));
      if (name == "points")
        read_points(entry, drawing);
      else
        others.push_back(&entry);
    }
  }
  for (const Modification* entry : others) {
    const auto name = tree_.text(entry->name_range);
    if (drawing.points.empty())
      Context::fail(entry->range, fmt::format("'{}' of a drawing without points", name), "points = [0, 0; x, y]");
    if (name == "links") group(point_numbers(*entry, 2, drawing), drawing.links);
    if (name == "springs") group(point_numbers(*entry, 2, drawing), drawing.springs);
    if (name == "bodies") group(point_numbers(*entry, 3, drawing), drawing.bodies);
    if (name == "ground") drawing.ground = point_numbers(*entry, 1, drawing);
    if (name == "traces") drawing.traces = point_numbers(*entry, 1, drawing);
  }
  if (!drawing.points.empty()) context_.builder.model().drawing = std::move(drawing);
}

void ModelFlattener::read_points(const Modification& entry, FlatDrawing& drawing) {
  const Value value = evaluator_.evaluate_as(entry.value, Type{BaseType::real}, "'points'");
  const SourceRange range = tree_.range(entry.value);
  if (value.rank() != 2 || (value.dims()[1] != 2 && value.dims()[1] != 3))
    Context::fail(range, fmt::format("'points' has the size {}", to_text(value.dims())),
                  "one row per point with two or three coordinates: [0, 0; x, y]");
  if (value.dims()[0] > static_cast<std::int64_t>(most_points))
    Context::fail(range, fmt::format("{} points; at most {} are drawn", value.dims()[0], most_points));
  drawing.dimension = static_cast<std::size_t>(value.dims()[1]);
  for (const Scalar& coordinate : value.elements()) drawing.points.push_back(context_.arithmetic.lift(coordinate));
  // Derivatives are no results, so a reader of results could not draw them.
  const FlatModel& model = context_.builder.model();
  std::unordered_set<std::uint32_t> allowed{model.time_slot};
  for (const FlatVariable& variable : model.variables)
    if (!variable.introduced) allowed.insert(variable.slot);
  for (const std::uint32_t slot : inputs_of(model.graph, drawing.points))
    if (!allowed.contains(slot))
      Context::fail(range, "'points' may depend on variables, parameters and time, but not on der() or pre()");
}

// Numbers of points, counted from 1 in the model and from 0 in what is returned.
std::vector<std::size_t> ModelFlattener::point_numbers(const Modification& entry, std::size_t columns,
                                                       const FlatDrawing& drawing) {
  const std::string name(tree_.text(entry.name_range));
  const Value value = evaluator_.evaluate_as(entry.value, Type{BaseType::integer}, fmt::format("'{}'", name));
  const SourceRange range = tree_.range(entry.value);
  const bool fits =
      columns == 1 ? value.rank() == 1 : value.rank() == 2 && value.dims()[1] == static_cast<std::int64_t>(columns);
  if (!fits)
    Context::fail(
        range, fmt::format("'{}' has the size {}", name, to_text(value.dims())),
        columns == 1 ? "numbers of points: {1, 2}" : fmt::format("one row of {} numbers of points each", columns));
  std::vector<std::size_t> numbers;
  const std::size_t points = drawing.points.size() / drawing.dimension;
  for (const Scalar& number : value.elements()) {
    if (!number.is_constant() || number.number < 1 || number.number > static_cast<double>(points))
      Context::fail(range, fmt::format("'{}' must be numbers of points, from 1 to {}", name, points));
    numbers.push_back(static_cast<std::size_t>(number.number.pinned()) - 1);
  }
  return numbers;
}

}  // namespace driftless
