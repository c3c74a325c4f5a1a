// Something to solve, wherever it comes from: a model file or a reference problem.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "apps/driftless/output/json.h"
#include "apps/driftless/program/exit_codes.h"
#include "driftless/simulate/text_model.h"

namespace driftless::cli {

// What an animation shows: which points are joined, and where they are.
struct Drawing {
  Json shape;  // dimension, links, springs, bodies, ground, traces
  std::size_t coordinates = 0;
  std::function<void(double t, ConstSpan results, Span out)> points;
};

// "u = 0, v = 0, not stated"; empty if nothing was chosen.
std::string chosen_words(const Start& start);
// {"moves": {x: {from, to}}, "chosen": {v: 0}}
Json start_as_json(const Start& start);

// With what the program shows of it.
class Model : public driftless::Model {
 public:
  std::string source;  // the file, or problem:NAME

  // Branches with another index or number of constraints than the start has: a run goes on in them with another form.
  struct OtherBranch {
    std::size_t line = 0;
    std::string message;
    std::string text;  // with file, line, column and a caret
    std::string difference = {};
    bool has_form = false;  // if not, a run that comes to it ends there
  };
  virtual std::vector<OtherBranch> other_branches(const Stretch& /*start*/) const { return {}; }

  // What the analysis found out, for people and for programs.
  struct Note {
    std::string label, text;
  };
  virtual std::vector<Note> notes() const { return {}; }
  virtual Json structure() const { return Json::object(); }

  virtual std::string text() const { return {}; }  // as written, if it is a file
  // SHA-256 of the file; empty for reference problems, which the version identifies.
  virtual std::string hash() const { return {}; }
  virtual std::optional<Drawing> drawing() const { return std::nullopt; }

  // Trusted values of the unknowns at a time, where they are known; NaN for single components that are not.
  virtual std::optional<Vector> reference(double /*t*/) const { return std::nullopt; }
};

Setting setting_from(const std::string& text);  // --set name=value; Stop unless it is that
double number_from(const Setting& setting);     // Stop unless it is a number

// `source` is the name of a file, or problem:NAME. Stop if there is no such thing or it is not right.
std::unique_ptr<Model> load_model(const std::string& source, const std::vector<Setting>& settings,
                                  StateUnits units = StateUnits::as_written);

inline constexpr const char* problem_prefix = "problem:";
std::unique_ptr<Model> load_problem(const std::string& name, const std::vector<Setting>& settings);
std::unique_ptr<Model> load_model_file(const std::string& path, const std::vector<Setting>& settings, StateUnits units);

}  // namespace driftless::cli
