#include "driftless/modelfile/flatten/builtin.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <unordered_map>

namespace driftless {

namespace {

constexpr std::array functions{
    BuiltinFunction{"abs", Builtin::absolute, "v", 1, Op::abs},
    BuiltinFunction{"acos", Builtin::elementwise, "u", 1, Op::acos},
    BuiltinFunction{"array", Builtin::array, "...", 1},
    BuiltinFunction{"asin", Builtin::elementwise, "u", 1, Op::asin},
    BuiltinFunction{"atan", Builtin::elementwise, "u", 1, Op::atan},
    BuiltinFunction{"atan2", Builtin::binary, "u1,u2", 2, Op::atan2},
    BuiltinFunction{"cat", Builtin::cat, "k,...", 2},
    BuiltinFunction{"ceil", Builtin::ceil, "x", 1, Op::ceil},
    BuiltinFunction{"change", Builtin::change, "v", 1},
    BuiltinFunction{"constsize", Builtin::const_size, "a,...", 2},
    BuiltinFunction{"cos", Builtin::elementwise, "u", 1, Op::cos},
    BuiltinFunction{"cosh", Builtin::elementwise, "u", 1, Op::cosh},
    BuiltinFunction{"cross", Builtin::cross, "x,y", 2},
    BuiltinFunction{"der", Builtin::der, "expr", 1},
    BuiltinFunction{"diagonal", Builtin::diagonal, "v", 1},
    BuiltinFunction{"div", Builtin::div, "x,y", 2},
    BuiltinFunction{"edge", Builtin::edge, "b", 1},
    BuiltinFunction{"exp", Builtin::elementwise, "u", 1, Op::exp},
    BuiltinFunction{"fill", Builtin::fill, "s,...", 2},
    BuiltinFunction{"floor", Builtin::floor, "x", 1, Op::floor},
    BuiltinFunction{"getInstanceName", Builtin::instance_name, "", 0},
    BuiltinFunction{"homotopy", Builtin::homotopy, "actual,simplified", 1},
    BuiltinFunction{"identity", Builtin::identity, "n", 1},
    BuiltinFunction{"initial", Builtin::initial, "", 0},
    BuiltinFunction{"Integer", Builtin::to_integer, "e", 1},
    BuiltinFunction{"integer", Builtin::integer, "x", 1, Op::floor},
    BuiltinFunction{"linspace", Builtin::linspace, "x1,x2,n", 3},
    BuiltinFunction{"log", Builtin::elementwise, "u", 1, Op::log},
    BuiltinFunction{"log10", Builtin::elementwise, "u", 1, Op::log10},
    BuiltinFunction{"matrix", Builtin::matrix, "A", 1},
    BuiltinFunction{"max", Builtin::max, "x,y", 1, Op::max},
    BuiltinFunction{"min", Builtin::min, "x,y", 1, Op::min},
    BuiltinFunction{"mod", Builtin::mod, "x,y", 2},
    BuiltinFunction{"ndims", Builtin::ndims, "A", 1},
    BuiltinFunction{"noEvent", Builtin::no_event, "expr", 1},
    BuiltinFunction{"ones", Builtin::ones, "...", 1},
    BuiltinFunction{"outerProduct", Builtin::outer_product, "x,y", 2},
    BuiltinFunction{"pre", Builtin::pre, "y", 1},
    BuiltinFunction{"product", Builtin::product, "x", 1, Op::multiply},
    BuiltinFunction{"pure", Builtin::pure, "call", 1},
    BuiltinFunction{"realParameterEqual", Builtin::parameter_equal, "x,y", 2, Op::equal},
    BuiltinFunction{"rem", Builtin::rem, "x,y", 2},
    BuiltinFunction{"sample", Builtin::sample, "start,interval", 2},
    BuiltinFunction{"scalar", Builtin::scalar, "A", 1},
    BuiltinFunction{"semiLinear", Builtin::semi_linear, "x,positiveSlope,negativeSlope", 3},
    BuiltinFunction{"sign", Builtin::sign, "v", 1, Op::sign},
    BuiltinFunction{"sin", Builtin::elementwise, "u", 1, Op::sin},
    BuiltinFunction{"sinh", Builtin::elementwise, "u", 1, Op::sinh},
    BuiltinFunction{"size", Builtin::size, "A,i", 1},
    BuiltinFunction{"skew", Builtin::skew, "x", 1},
    BuiltinFunction{"smooth", Builtin::smooth, "p,expr", 2},
    BuiltinFunction{"sqrt", Builtin::elementwise, "x", 1, Op::sqrt},
    BuiltinFunction{"String", Builtin::text, "x,significantDigits,minimumLength,leftJustified,format", 1},
    BuiltinFunction{"sum", Builtin::sum, "x", 1, Op::add},
    BuiltinFunction{"symmetric", Builtin::symmetric, "A", 1},
    BuiltinFunction{"tan", Builtin::elementwise, "u", 1, Op::tan},
    BuiltinFunction{"tanh", Builtin::elementwise, "u", 1, Op::tanh},
    BuiltinFunction{"terminal", Builtin::terminal, "", 0},
    BuiltinFunction{"transpose", Builtin::transpose, "A", 1},
    BuiltinFunction{"vector", Builtin::vector, "A", 1},
    BuiltinFunction{"zeros", Builtin::zeros, "...", 1},
};

struct NotCovered {
  std::string_view name, reason;
};
constexpr std::string_view clocks = "clocks are not covered; use when sample(start, interval) then ... end when";
constexpr std::string_view streams = "streams belong to connections: flatten the model first";
constexpr std::array refusals{
    NotCovered{"delay",
               "delays make other equations than differential-algebraic ones; a chain of first-order lags is near"},
    NotCovered{"spatialDistribution", "write the discretised transport equation with a 'for' loop"},
    NotCovered{"cardinality", "it counts connections: flatten the model first"},
    NotCovered{"inStream", streams},
    NotCovered{"actualStream", streams},
    NotCovered{"previous", clocks},
    NotCovered{"hold", clocks},
    NotCovered{"Clock", clocks},
    NotCovered{"subSample", clocks},
    NotCovered{"superSample", clocks},
    NotCovered{"shiftSample", clocks},
    NotCovered{"backSample", clocks},
    NotCovered{"noClock", clocks},
    NotCovered{"interval", clocks},
    NotCovered{"firstTick", clocks},
    NotCovered{"activeState", "state machines are not covered; use Boolean variables and when"},
    NotCovered{"transition", "state machines are not covered; use Boolean variables and when"},
    NotCovered{"initialState", "state machines are not covered; use Boolean variables and when"},
    NotCovered{"guess", "use it as 'parameter equation guess(x) = value;' among the declarations"},
    NotCovered{"prioritize", "use it as 'prioritize(x, priority);' in an initial equation section"},
};

struct NamedNumber {
  std::string_view name;
  double value;
};
// CODATA 2018 and the definitions of the SI, as in the Modelica standard library.
constexpr std::array constants{
    NamedNumber{"pi", std::numbers::pi},
    NamedNumber{"e", std::numbers::e},
    NamedNumber{"D2R", std::numbers::pi / 180.0},
    NamedNumber{"R2D", 180.0 / std::numbers::pi},
    NamedNumber{"eps", std::numeric_limits<double>::epsilon()},
    NamedNumber{"small", std::numeric_limits<double>::min()},
    NamedNumber{"inf", std::numeric_limits<double>::max()},
    NamedNumber{"Integer_inf", 2147483647.0},
    NamedNumber{"c", 299792458.0},
    NamedNumber{"g_n", 9.80665},
    NamedNumber{"G", 6.67430e-11},
    NamedNumber{"q", 1.602176634e-19},
    NamedNumber{"F", 96485.33212331},
    NamedNumber{"h", 6.62607015e-34},
    NamedNumber{"k", 1.380649e-23},
    NamedNumber{"R", 8.31446261815324},
    NamedNumber{"sigma", 5.670374419e-8},
    NamedNumber{"N_A", 6.02214076e23},
    NamedNumber{"T_zero", -273.15},
};

constexpr std::array statement_functions{std::string_view("assert"), std::string_view("terminate"),
                                         std::string_view("reinit")};

template <class Table>
auto find_in(const Table& table, std::string_view name) {
  return std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.name == name; });
}

}  // namespace

std::vector<std::string_view> split_at_commas(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    parts.push_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

const BuiltinFunction* find_builtin(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const BuiltinFunction*> map;
    for (const BuiltinFunction& function : functions) map.emplace(function.name, &function);
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

const std::vector<std::string_view>& parameters_of(const BuiltinFunction& builtin) {
  static const auto lists = [] {
    std::vector<std::vector<std::string_view>> all;
    for (const BuiltinFunction& function : functions) all.push_back(split_at_commas(function.parameters));
    return all;
  }();
  return lists[static_cast<std::size_t>(&builtin - functions.data())];
}

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names(statement_functions.begin(), statement_functions.end());
  for (const BuiltinFunction& function : functions) names.push_back(function.name);
  return names;
}

std::optional<std::string_view> refused_builtin(std::string_view name) {
  const auto found = find_in(refusals, name);
  return found == refusals.end() ? std::nullopt : std::optional(found->reason);
}

std::optional<double> library_constant(std::string_view name) {
  const auto found = find_in(constants, name);
  return found == constants.end() ? std::nullopt : std::optional(found->value);
}

bool is_statement_function(std::string_view name) {
  return std::find(statement_functions.begin(), statement_functions.end(), name) != statement_functions.end();
}

}  // namespace driftless
