// What all parts of the flattening share.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "driftless/modelfile/flatten/model_builder.h"
#include "driftless/modelfile/flatten/read_model.h"
#include "driftless/modelfile/text/diagnostic.h"
#include "driftless/modelfile/text/syntax.h"

namespace driftless {

// What is wrong with the thing being flattened; thrown, and caught where the next thing can be tried.
struct ModelError {
  SourceRange range;
  std::string message, suggestion;
};
// A subscript that is known and out of range: an error, unless no run gets there.
struct SubscriptError : ModelError {};
// It depends on something that has been complained about already.
struct KnownFault {};

// A string, perhaps with numbers that are known at run time only.
struct Text {
  std::string text;
  std::vector<FlatMessageValue> values;
};

struct EnumerationType {
  std::string name;
  std::vector<std::string> literals;
};

struct RecordField {
  std::uint32_t name = 0;
  const Declaration* declaration = nullptr;
  Type type;
  Dims dims;
  std::uint32_t width = 1;                                      // numbers per element of the field
  std::uint32_t offset = 0;                                     // of its first number in the record
  std::vector<const std::vector<Modification>*> modifications;  // of its type, innermost first
};

// A record whose definition leaves sizes of fields open has a type of its own for each choice of them.
struct RecordType {
  std::string name;
  const ClassDefinition* definition = nullptr;
  bool is_open = false;  // sizes are not known: a type for inputs and local variables of functions
  std::vector<RecordField> fields;
  std::uint32_t width = 0;

  const RecordField* find(std::uint32_t field) const;
};

struct Context {
  Context(SyntaxTree& tree_, Diagnostics& diagnostics_, const ReadLimits& limits_);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  SyntaxTree& tree;
  Diagnostics& diagnostics;
  ReadLimits limits;
  ModelBuilder builder;
  Arithmetic arithmetic;
  std::vector<Text> texts;
  std::vector<EnumerationType> enumerations;
  std::vector<RecordType> records;
  std::unordered_map<std::uint32_t, const ClassDefinition*> classes;  // functions, records, types by name
  std::size_t work = 0, elements = 0;
  bool exhausted = false;  // a limit was reached: nothing more is tried

  static constexpr std::uint32_t state_select = 0, assertion_level = 1;  // enumerations that are always there

  [[noreturn]] static void fail(SourceRange range, std::string message, std::string suggestion = {}) {
    throw ModelError{range, std::move(message), std::move(suggestion)};
  }
  void report(const ModelError& error) { diagnostics.error(error.range, error.message, error.suggestion); }

  // Counts against the limits; fails when there is too much.
  void charge(std::size_t amount, SourceRange range) {
    work += amount;
    if (work >= next_look_) look(range);
  }
  void claim_elements(std::size_t count, SourceRange range);
  // A number of elements that may be made; fails if there are too many.
  std::size_t checked_count(const Dims& dims, SourceRange range);

  Scalar add_text(Text text);
  const Text& text_of(const Scalar& scalar) const { return texts[static_cast<std::size_t>(scalar.number.pinned())]; }

  SourcePlace place(SourceRange range) const { return tree.sources[range.source].place(range); }
  std::string quote(SourceRange range) const { return collapsed(tree.text(range), longest_quote); }
  std::string type_name(Type type) const;
  bool is_open(Type type) const { return type.base == BaseType::record && records[type.definition].is_open; }
  // Of records: the same but for sizes of fields.
  bool is_same_record(Type a, Type b) const;

  static constexpr std::size_t longest_quote = 200;

 private:
  void look(SourceRange range);  // whether to go on: now and then, as work is done
  [[noreturn]] void fail_exhausted(SourceRange range, std::string message, std::string suggestion);

  std::size_t next_look_ = 0;
};

}  // namespace driftless
