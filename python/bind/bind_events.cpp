// Events of functions, beside those that a model has by itself.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "bind.h"
#include "called_function.h"
#include "driftless/simulate/text_model.h"
#include "watched_model.h"

namespace py = pybind11;

namespace driftless::python {

namespace {

// (name, direction, how many occurrences end the run)
using Parts = std::vector<std::tuple<std::string, int, std::size_t>>;
// What is called behind an event, and the results or unknowns that it changes.
using Assignments = std::vector<std::pair<std::string, std::string>>;

std::vector<Watcher> watchers_of(const Parts& parts) {
  std::vector<Watcher> all;
  for (const auto& [name, direction, ends_after] : parts) {
    Watcher one;
    one.name = name;
    one.direction = direction > 0 ? Direction::rising : direction < 0 ? Direction::falling : Direction::any;
    one.ends_after = ends_after;
    all.push_back(std::move(one));
  }
  return all;
}

std::size_t result_of(const Model& model, const std::string& name) {
  Names names;
  for (const ResultColumn& column : model.results) names.push_back(column.name);
  return place_of(name, names, "result");
}

Vector results_at(const Stretch& stretch, double t, ConstSpan state, std::size_t count) {
  Vector all(count);
  stretch.results(t, state, all);
  return all;
}

struct Assigned {
  std::string unknown;
  std::size_t now, behind;  // results
};

// What is not integrated follows from the rest, and nothing can be made of it.
void assign(const std::vector<Assigned>& all, const Stretch& stretch, const Vector& values, Span state) {
  Names names;
  for (const std::string& name : layout_of(stretch.equations).names()) names.push_back(unquoted(name));
  for (const auto& [unknown, now, behind] : all) {
    const auto place = static_cast<std::size_t>(std::ranges::find(names, unknown) - names.begin());
    if (place < names.size())
      state[place] = values[behind] / (stretch.unit.empty() ? 1.0 : stretch.unit[place]);
    else if (!(std::abs(values[behind] - values[now]) <= 1e-9 * (1.0 + std::abs(values[now]))))
      throw Misuse("a jump cannot change " + unknown + ", which follows from the other unknowns");
  }
}

// Roots are results of the model, and so is what jumps make of unknowns: (unknown, result).
std::shared_ptr<WatchedModel> watched_results(const std::shared_ptr<Model>& model, const Parts& parts,
                                              const Names& roots, const std::vector<Assignments>& jumps) {
  const std::size_t count = model->results.size();
  auto watchers = watchers_of(parts);
  std::vector<std::size_t> places;
  for (const std::string& root : roots) places.push_back(result_of(*model, root));
  for (std::size_t k = 0; k < jumps.size(); ++k) {
    if (jumps[k].empty()) continue;
    std::vector<Assigned> assigned;
    for (const auto& [unknown, result] : jumps[k])
      assigned.push_back({unknown, result_of(*model, unknown), result_of(*model, result)});
    watchers[k].jump = [assigned, count](const Stretch& stretch, double t, Span state) {
      assign(assigned, stretch, results_at(stretch, t, state, count), state);
    };
  }
  return std::make_shared<WatchedModel>(model, std::move(watchers),
                                        [places, count](const Stretch& stretch, double t, ConstSpan state, Span out) {
                                          const Vector values = results_at(stretch, t, state, count);
                                          for (std::size_t k = 0; k < places.size(); ++k) out[k] = values[places[k]];
                                        });
}

// Roots and jumps are functions of the state and the time; a jump gives the leading unknowns.
std::shared_ptr<WatchedModel> watched_calls(const std::shared_ptr<Model>& model, const Parts& parts,
                                            const std::vector<py::object>& roots,
                                            const std::vector<std::pair<py::object, std::size_t>>& jumps) {
  auto watchers = watchers_of(parts);
  for (std::size_t k = 0; k < jumps.size(); ++k) {
    if (jumps[k].first.is_none()) continue;
    watchers[k].jump = [jump = CalledFunction(jumps[k].first, jumps[k].second)](const Stretch&, double t, Span state) {
      const Vector x = joined({state}, t);
      jump(x, state.first(jump.results()));
    };
  }
  std::vector<CalledFunction> functions;
  for (const py::object& root : roots) functions.emplace_back(root, 1);
  return std::make_shared<WatchedModel>(model, std::move(watchers),
                                        [functions](const Stretch&, double t, ConstSpan state, Span out) {
                                          const Vector x = joined({state}, t);
                                          for (std::size_t k = 0; k < functions.size(); ++k)
                                            out[k] = functions[k].number(x);
                                        });
}

}  // namespace

void bind_events(py::module_& module) {
  py::class_<WatchedModel, Model, std::shared_ptr<WatchedModel>>(module, "WatchedModel")
      .def_property_readonly("beside_others", &WatchedModel::beside_others);
  module.def("watched_results", &watched_results);
  module.def("watched_calls", &watched_calls);
}

}  // namespace driftless::python
