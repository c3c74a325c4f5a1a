// A model after everything of the language is resolved: scalar variables, and equations as expressions of one graph.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

// Where a thing is written: 1-based; `length` characters from there are underlined.
struct SourcePlace {
  std::uint32_t line = 0, column = 0, length = 1;
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

// Continuous unknowns, and discrete ones that change at events only. Parameters and constants are numbers by now
// (FlatParameter); those that depend on parameters remember how (Number).
struct FlatVariable {
  std::string name;  // as the user writes it: x, r[2], 'body.r[1]'
  bool discrete = false;
  bool boolean = false, integer = false;  // discrete ones only
  std::uint32_t slot = 0;                 // its input in the graph
  // The input slot of der(name), if has_derivative; for discrete ones, always, of pre(name).
  std::uint32_t derivative = 0;
  bool has_derivative = false;          // der(name) occurs somewhere
  std::optional<std::uint32_t> before;  // the input slot of pre(name) of a continuous one, if it occurs
  std::optional<Expr> start;            // an expression of parameters and time, constant by now unless time occurs
  bool fixed = false;
  std::optional<Number> min, max;
  std::optional<double> nominal;
  double solver_unit = 1.0;  // of start, min, max, nominal and the slots, see nominal_units.h
  std::string unit, display_unit, quantity, description;
  bool output = false, input = false;
  bool introduced = false;   // by the reader, for floor(x), sample(...) and the like: not among the user's variables
  bool kept = false;         // never eliminated as a state: impulses of other modes act on it
  std::string state_select;  // never, avoid, default, prefer, always; empty if not said
  std::optional<double> start_priority;  // prioritize(x, p): how much x = start is wanted at the start
  SourcePlace place;
};

struct FlatParameter {
  enum class Type { real, integer, boolean, string, enumeration };
  std::string name;
  double value = 0.0;                       // as the model was read
  Number number = 0.0;                      // for other values of the parameters
  std::optional<std::size_t> setting = {};  // which parameter of the trace it is, if it may be set from outside
  bool is_constant = false;                 // `constant`, or `final`: may not be set from outside
  Type type = Type::real;
  std::string text;  // of a string; the literal of an enumeration, whose value is its number from 1 on
  std::string unit, display_unit, description;
  SourcePlace place;
};

// A condition that chooses between two equations of an 'if', and where they are written.
struct FlatChoice {
  Expr condition;
  SourcePlace yes, no;
};

// 0 = residual. `text` is the equation as written (one line), for messages.
struct FlatEquation {
  Expr residual;
  std::string text;
  SourcePlace place;
  std::vector<FlatChoice> choices = {};  // of an if-equation
  std::optional<Expr> written = {};      // 0 = written: with all branches, where a mode has one of them alone
};

// A relation a < b (<=, >, >=) outside noEvent: its value is the input `slot` (0 or 1), held during a step and changed
// where `root` = a - b changes sign. `holds_if_negative`: true for < and <=; at root == 0 the value is `at_zero`.
struct FlatRelation {
  Expr root;
  std::uint32_t slot = 0;
  bool holds_if_negative = true, at_zero = false;
  std::string text;
  SourcePlace place;
  bool sample = false;  // of sample(): true at its ticks only, and false while initial values are sought
};

// A number that is known at run time only and belongs into a message: at byte `offset` of the text.
struct FlatMessageValue {
  std::size_t offset = 0;
  Expr value;
  enum class Format { real, integer, boolean, literal, pattern, whole_pattern } format = Format::real;
  int significant_digits = 6, minimum_length = 0;
  bool left_justified = true;
  std::string pattern = {};  // how fmt writes it: String(x, format = ".3f"); of a number or of a whole one
  std::vector<std::string> literals = {};  // of an enumeration, whose numbers begin with 1
};
// The pattern for fmt that means what a format of C does, and the kind of number it is for; none if it is none.
struct NumberPattern {
  std::string pattern;
  bool whole = false;
};
std::optional<NumberPattern> number_pattern(std::string_view format);
// The text with its numbers filled in; `numbers` has the value of each.
std::string fill_in(const std::string& message, const std::vector<FlatMessageValue>& values,
                    const std::vector<double>& numbers);

// when condition then ... end when: acts in a round of an event in which the condition is true and was false before the
// round, and while initial values are sought only if its condition is `initial()`. FlatModel::whens are in the order of
// the data: what a condition or an action reads of others is assigned by those before it, as far as there is such an
// order. Actions are done in order; pre(x) is the value before the round. A reinit is seen in the next round.
struct FlatAction {
  enum class Kind { reinit, assign, assert_, terminate } kind = Kind::assign;
  std::size_t variable = 0;  // index into variables, for reinit and assign
  Expr value;                // the new value; the condition of an assert; whether a terminate acts, mostly constant 1
  std::string message;       // of assert and terminate
  std::vector<FlatMessageValue> message_values;
  bool warning = false;  // of assert
  SourcePlace place;
};
struct FlatBranch {
  Expr condition;           // reads relation slots, discrete variables, and for sample() time through a relation
  bool at_initial = false;  // acts at the start, too
  std::vector<FlatAction> actions;
};
struct FlatWhen {
  std::vector<FlatBranch> branches;  // when, elsewhen, ...: the first whose condition becomes true
  bool at_initial = false;           // one of the branches acts at the start
  SourcePlace place;
  // Of one algorithm, if not 0: its whens act one after the other, as they are written, and what the actions of a
  // branch read is what was before the branch.
  std::size_t section = 0;
};

// An initial equation v = value or pre(v) = value of a discrete variable: gives pre(v) its first value.
struct FlatInitialAssignment {
  std::size_t variable = 0;
  Expr value;
  bool before = false;  // pre(v) is named, and not v
  std::string text;
  SourcePlace place;
};

// assert(condition, message) in the equation section: must hold all the time.
struct FlatAssert {
  Expr condition;
  std::string message;
  std::vector<FlatMessageValue> message_values;
  bool warning = false;
  SourcePlace place;
};

// annotation(__driftless(points = ..., links = ..., ...)): what an animation shows. Points are counted from 0 here.
struct FlatDrawing {
  std::size_t dimension = 2;  // of space, 2 or 3
  std::vector<Expr> points;   // coordinates of variables, parameters and time, point by point
  std::vector<std::array<std::size_t, 2>> links, springs;
  std::vector<std::array<std::size_t, 3>> bodies;  // triangles
  std::vector<std::size_t> ground, traces;         // points that do not move; points whose path is drawn
};

struct Experiment {
  std::optional<double> start_time, stop_time, tolerance, interval;
};

struct FlatModel {
  std::string name, description;
  Graph graph;
  std::uint32_t time_slot = 0;
  std::uint32_t slots = 0;  // how many inputs the graph has
  // Inputs that are 1 while initial values are sought, and at the end of the run, and 0 otherwise; if the model asks.
  std::optional<std::uint32_t> initial_slot, terminal_slot;
  std::vector<FlatVariable> variables;
  std::vector<FlatParameter> parameters;
  std::vector<FlatEquation> equations, initial_equations;
  std::vector<FlatRelation> relations;
  std::vector<FlatWhen> whens;
  std::vector<FlatInitialAssignment> initial_assignments;
  std::vector<FlatAssert> asserts;
  Experiment experiment;
  std::optional<FlatDrawing> drawing;
  bool is_mode = false;    // of another model, in which solutions slide
  bool is_branch = false;  // of another model, with branches that it cannot leave
  // Whatever else is in annotation(__driftless(...)), as written: name = text pairs.
  std::vector<std::pair<std::string, std::string>> annotations;
};

// Makes plain numbers of everything that depends on parameters: their values are what they are, for good.
void forget_parameters(FlatModel& model);

}  // namespace driftless
