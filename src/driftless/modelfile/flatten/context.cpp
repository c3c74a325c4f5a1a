#include "driftless/modelfile/flatten/context.h"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/core/stop.h"

namespace driftless {

namespace {

constexpr const char* sizes_advice =
    "are the sizes of arrays and loops what they are meant to be? If so, raise the limit: --max-memory SIZE";

}  // namespace

const RecordField* RecordType::find(std::uint32_t field) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const RecordField& f) { return f.name == field; });
  return found == fields.end() ? nullptr : &*found;
}

Context::Context(SyntaxTree& tree_, Diagnostics& diagnostics_, const ReadLimits& limits_)
    : tree(tree_), diagnostics(diagnostics_), limits(limits_), arithmetic(builder.graph()) {
  enumerations.push_back({"StateSelect", {"never", "avoid", "default", "prefer", "always"}});
  enumerations.push_back({"AssertionLevel", {"warning", "error"}});
}

void Context::fail_exhausted(SourceRange range, std::string message, std::string suggestion) {
  exhausted = true;
  fail(range, std::move(message), std::move(suggestion));
}

void Context::look(SourceRange range) {
  constexpr std::size_t often = 1 << 16;
  check_stop();
  const std::size_t allowed = limits.work + ReadLimits::work_per_element * elements;
  if (work > allowed)
    fail_exhausted(range,
                   fmt::format("this model takes more than {:.3g} evaluations to read", static_cast<double>(allowed)),
                   "are its loops, arrays and recursive functions as large as they are meant to be? If so, raise the "
                   "limit: --max-work N");
  next_look_ = std::min(work + often, allowed + 1);
}

void Context::claim_elements(std::size_t count, SourceRange range) {
  elements += count;
  if (elements <= limits.elements) return;
  elements -= count;
  fail_exhausted(range, fmt::format("the model becomes too large: more than {} numbers", limits.elements),
                 sizes_advice);
}

std::size_t Context::checked_count(const Dims& dims, SourceRange range) {
  const std::int64_t count = count_elements(dims);
  if (static_cast<std::uint64_t>(count) > limits.elements) {
    fail_exhausted(
        range, fmt::format("an array of size {} is too large: more than {} numbers", to_text(dims), limits.elements),
        sizes_advice);
  }
  charge(static_cast<std::size_t>(count), range);
  return static_cast<std::size_t>(count);
}

Scalar Context::add_text(Text text) {
  texts.push_back(std::move(text));
  return Scalar::of(static_cast<double>(texts.size() - 1));
}

bool Context::is_same_record(Type a, Type b) const {
  return a.base == BaseType::record && b.base == BaseType::record &&
         records[a.definition].definition == records[b.definition].definition;
}

std::string Context::type_name(Type type) const {
  switch (type.base) {
    case BaseType::real: return "Real";
    case BaseType::integer: return "Integer";
    case BaseType::boolean: return "Boolean";
    case BaseType::string: return "String";
    case BaseType::enumeration: return enumerations[type.definition].name;
    case BaseType::record: return records[type.definition].name;
    case BaseType::function: return "a function";
  }
  return "";
}

}  // namespace driftless
