// Models, functions, records, types, and the package around them.
#include <fmt/format.h>

#include <array>

#include "driftless/modelfile/text/parser.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

namespace {

constexpr std::array class_words{std::string_view("model"), std::string_view("function"), std::string_view("record"),
                                 std::string_view("type"), std::string_view("package")};

bool is_class_word(TokenKind kind) {
  switch (kind) {
    case TokenKind::key_model:
    case TokenKind::key_block:
    case TokenKind::key_class:
    case TokenKind::key_function:
    case TokenKind::key_record:
    case TokenKind::key_type:
    case TokenKind::key_connector:
    case TokenKind::key_package:
    case TokenKind::key_partial:
    case TokenKind::key_replaceable: return true;
    default: return false;
  }
}

}  // namespace

void Parser::parse_file() {
  tree_.root.kind = ClassDefinition::Kind::package;
  while (!is(TokenKind::end_of_file) && !diagnostics_.full()) {
    const std::size_t before = at_;
    try {
      parse_file_entry();
    } catch (const SyntaxError&) {
      depth_ = 0;
      pending_.clear();
      const auto can_go_on = [&] {
        return at_class() || is(TokenKind::key_package) || (in_package_ && is(TokenKind::key_end));
      };
      while (!is(TokenKind::end_of_file) && (!can_go_on() || at_ == before)) advance();
    }
  }
  name_enumerations();
  if (in_package_ && diagnostics_.errors() == 0) {
    const std::string& name = tree_.names.text(tree_.root.name);
    diagnostics_.error({last_end_, last_end_ + 1, source_}, fmt::format("the package {} does not end", quoted(name)),
                       fmt::format("write: end {};", name));
  }
}

// A class, or something of the package around it: package Name ... end Name;
void Parser::parse_file_entry() {
  skip_decoration();
  switch (current().kind) {
    case TokenKind::key_within:
      advance();
      if (!is(TokenKind::semicolon)) parse_type_name();
      expect(TokenKind::semicolon, "after 'within'");
      return;
    case TokenKind::key_package:
      if (in_package_ || ahead(2).kind == TokenKind::equals || !holds_everything()) break;
      advance();
      in_package_ = true;
      tree_.root.name_range = range(current());
      tree_.root.name = expect_name("of the package");
      tree_.packages.push_back(tree_.root.name);
      package_has_name_ = true;
      parse_description();
      return;
    case TokenKind::key_import: return parse_import(tree_.root);
    case TokenKind::key_extends: return parse_extends(tree_.root);
    case TokenKind::key_public:
    case TokenKind::key_protected: advance(); return;
    case TokenKind::key_annotation:
      parse_annotation();
      expect(TokenKind::semicolon, "after the annotation");
      return;
    case TokenKind::key_constant:
    case TokenKind::key_final: parse_element(tree_.root, false); return;
    case TokenKind::key_end:
      if (!in_package_) break;
      in_package_ = false;
      if (package_has_name_) return parse_class_end(tree_.root);
      throw SyntaxError{};  // the missing name was reported
    default: break;
  }
  if (at_class()) {
    parse_class(tree_.root);
    return;
  }
  refuse_if_not_covered();
  fail_here(fmt::format("expected {}, found {}",
                        in_package_ ? "a model, a function, a record, a type or a constant" : "'model'", found()),
            is(TokenKind::identifier) ? did_you_mean(text(current()), class_words) : "");
}

// Whether the package that begins here is all of the file, as that of Base Modelica; others are classes.
bool Parser::holds_everything() const {
  if (tree_.base_modelica || !tree_.root.classes.empty() || !tree_.packages.empty())
    return tree_.base_modelica && tree_.packages.empty();
  std::size_t last = tokens_.size();
  for (std::size_t k = at_ + 2; k + 3 < tokens_.size(); ++k)
    if (tokens_[k].kind == TokenKind::key_end && tokens_[k + 1].kind == TokenKind::identifier &&
        text(tokens_[k + 1]) == text(ahead()) && tokens_[k + 2].kind == TokenKind::semicolon)
      last = k + 3;
  return last >= tokens_.size() || tokens_[last].kind == TokenKind::end_of_file;
}

bool Parser::at_class() const {
  switch (current().kind) {
    case TokenKind::key_encapsulated:
    case TokenKind::key_pure:
    case TokenKind::key_impure: return true;
    case TokenKind::key_replaceable:
    case TokenKind::key_redeclare:
    case TokenKind::key_final: return is_class_word(ahead().kind);
    default: return is_class_word(current().kind);
  }
}

void Parser::parse_class(ClassDefinition& owner) {
  const Nesting nesting(*this);
  ClassDefinition definition;
  for (bool more = true; more;) {
    switch (current().kind) {
      case TokenKind::key_pure:
      case TokenKind::key_impure:
        advance();
        accept(TokenKind::key_constant);
        break;
      case TokenKind::key_partial: definition.is_partial = true; [[fallthrough]];
      case TokenKind::key_encapsulated:
      case TokenKind::key_replaceable:
      case TokenKind::key_redeclare: tree_.hierarchical = true; [[fallthrough]];
      case TokenKind::key_final: advance(); break;
      default: more = false;
    }
  }
  const Token keyword = advance();
  switch (keyword.kind) {
    case TokenKind::key_function: definition.kind = ClassDefinition::Kind::function; break;
    case TokenKind::key_record: definition.kind = ClassDefinition::Kind::record; break;
    case TokenKind::key_type: definition.kind = ClassDefinition::Kind::type; break;
    case TokenKind::key_connector: definition.kind = ClassDefinition::Kind::connector; break;
    case TokenKind::key_package: definition.kind = ClassDefinition::Kind::package; break;
    case TokenKind::key_model:
    case TokenKind::key_block:
    case TokenKind::key_class: break;
    default: fail(range(keyword), fmt::format("expected 'function', found '{}'", text(keyword)));
  }
  tree_.hierarchical |= keyword.kind == TokenKind::key_connector || keyword.kind == TokenKind::key_package ||
                        (definition.kind == ClassDefinition::Kind::model && &owner != &tree_.root);
  refuse_if_not_covered();
  definition.name_range = range(current());
  definition.name = expect_class_name(fmt::format("after '{}'", text(keyword)));
  if (is(TokenKind::equals)) {
    parse_short_class(definition);
  } else {
    if (definition.kind == ClassDefinition::Kind::type) {
      fail_here(fmt::format("expected '=' after the name of the type, found {}", found()),
                "write: type Angle = Real(unit = \"rad\");");
    }
    definition.description = parse_description();
    parse_class_body(definition);
    parse_class_end(definition);
  }
  owner.classes.push_back(std::move(definition));
}

// type A = Real[3](unit = "m"); type E = enumeration(a, b); model B = A(p = 1);
void Parser::parse_short_class(ClassDefinition& definition) {
  using Kind = ClassDefinition::Kind;
  advance();
  if (definition.kind == Kind::record) definition.kind = Kind::type;
  tree_.hierarchical |= definition.kind != Kind::type;
  if (accept(TokenKind::key_enumeration)) {
    parse_literals(definition);
  } else {
    for (; is(TokenKind::key_input) || is(TokenKind::key_output); advance())
      definition.base_causality = is(TokenKind::key_input) ? Causality::input : Causality::output;
    definition.base = parse_type_name();
    if (is(TokenKind::left_bracket)) definition.sizes = parse_sizes();
    if (is(TokenKind::left_parenthesis)) definition.modifications = parse_modifications();
  }
  skip_constraining();
  definition.description = parse_description();
  if (is(TokenKind::key_annotation)) parse_annotation();
  expect(TokenKind::semicolon, "after the definition");
}

// extends Base(modifications);
void Parser::parse_extends(ClassDefinition& definition) {
  tree_.hierarchical = true;
  advance();
  Extends extends;
  extends.base = parse_type_name();
  if (is(TokenKind::left_parenthesis)) extends.modifications = parse_modifications();
  if (is(TokenKind::key_annotation)) parse_annotation();
  expect(TokenKind::semicolon, "after 'extends'");
  definition.extends.push_back(std::move(extends));
}

// import a.b.c; import d = a.b.c; import a.b.*; import a.b.{c, d};
void Parser::parse_import(ClassDefinition& definition) {
  tree_.hierarchical = true;
  advance();
  Import import;
  const std::uint32_t begin = current().begin;
  import.path.push_back(expect_name("after 'import'"));
  const bool renamed = accept(TokenKind::equals);
  import.name = import.path[0];
  if (renamed) import.path = {expect_name("after '='")};
  std::vector<std::uint32_t> several;
  while (several.empty() && !import.all && (is(TokenKind::dot) || is(TokenKind::dot_times))) {
    import.all = advance().kind == TokenKind::dot_times || accept(TokenKind::times);
    if (import.all) break;
    if (!accept(TokenKind::left_brace)) {
      import.path.push_back(expect_name("after '.'"));
      continue;
    }
    do several.push_back(expect_name("of what is imported"));
    while (accept(TokenKind::comma));
    expect(TokenKind::right_brace, "to close '{'");
  }
  import.range = range_from(begin);
  parse_description();
  if (is(TokenKind::key_annotation)) parse_annotation();
  expect(TokenKind::semicolon, "after 'import'");
  if (!renamed) import.name = import.path.back();
  if (several.empty()) definition.imports.push_back(import);
  for (const std::uint32_t name : several) {
    Import one = import;
    one.path.push_back(name);
    one.name = name;
    definition.imports.push_back(std::move(one));
  }
}

void Parser::parse_class_body(ClassDefinition& definition) {
  bool is_protected = false;
  while (!is(TokenKind::key_end) && !is(TokenKind::end_of_file) && !diagnostics_.full()) {
    const std::size_t before = at_;
    const int depth = depth_;
    try {
      if (parse_section(definition, is_protected)) continue;
      if (at_class()) {
        parse_class(definition);
      } else {
        parse_element(definition, is_protected);
      }
    } catch (const SyntaxError&) {
      depth_ = depth;
      pending_.clear();
      recover();
      if (at_ == before) advance();
    }
  }
}

// Whether a section, or something else that is no declaration, was there.
bool Parser::parse_section(ClassDefinition& definition, bool& is_protected) {
  const bool initial = is(TokenKind::key_initial);
  switch (initial ? ahead().kind : current().kind) {
    case TokenKind::key_public:
    case TokenKind::key_protected:
      is_protected = is(TokenKind::key_protected);
      advance();
      return true;
    case TokenKind::key_equation: {
      if (definition.kind != ClassDefinition::Kind::model) {
        fail_here("only models have equations", "a function has an 'algorithm'");
      }
      if (initial) advance();
      advance();
      auto parsed = parse_statements(initial ? Section::initial_equation : Section::equation);
      auto& section = initial ? definition.initial_equations : definition.equations;
      std::move(parsed.begin(), parsed.end(), std::back_inserter(section));
      break;
    }
    case TokenKind::key_algorithm: {
      if (initial) advance();
      advance();
      auto& sections = initial ? definition.initial_algorithms : definition.algorithms;
      sections.push_back(parse_statements(Section::algorithm));
      break;
    }
    case TokenKind::key_annotation: {
      auto kept = parse_annotation();
      std::move(kept.begin(), kept.end(), std::back_inserter(definition.annotations));
      expect(TokenKind::semicolon, "after the annotation");
      return true;
    }
    case TokenKind::key_external: parse_external(definition); return true;
    case TokenKind::key_extends: parse_extends(definition); return true;
    case TokenKind::key_import: parse_import(definition); return true;
    default: return false;
  }
  // parse_statements stops at any end of a section; what closes nothing would stop us here for ever.
  if (is(TokenKind::key_else) || is(TokenKind::key_elseif) || is(TokenKind::key_elsewhen)) {
    fail_here(fmt::format("'{}' belongs to no 'if' or 'when'", text(current())));
  }
  if (is(TokenKind::key_end) && is_keyword(ahead().kind)) {
    const SourceRange both{current().begin, ahead().end, source_};
    const std::string word(text(ahead()));
    advance();
    advance();
    fail(both, fmt::format("'end {}' closes nothing", word));
  }
  return true;
}

// external "C" y = f(x) annotation(...): read, and refused when it is called.
void Parser::parse_external(ClassDefinition& definition) {
  definition.is_external = true;
  definition.external_range = range(current());
  while (!is(TokenKind::semicolon) && !is(TokenKind::end_of_file)) advance();
  expect(TokenKind::semicolon, "after 'external'");
}

void Parser::parse_class_end(const ClassDefinition& definition) {
  const std::string& name = tree_.names.text(definition.name);
  if (!is(TokenKind::key_end)) {
    if (at_ > 0 && tokens_[at_ - 1].kind == TokenKind::bad) throw SyntaxError{};  // a string ate the rest
    fail({last_end_, last_end_ + 1, source_}, fmt::format("{} does not end", quoted(name)),
         fmt::format("write: end {};", name));
  }
  advance();
  const Token word = current();
  if (is(TokenKind::identifier) && ahead().kind == TokenKind::dot) {
    if (expect_class_name("after 'end'") != definition.name)
      diagnostics_.error(range_from(word.begin), fmt::format("{} ends with another name", quoted(name)),
                         fmt::format("write: end {};", name));
    expect(TokenKind::semicolon, fmt::format("after 'end {}'", name));
    return;
  }
  if (!is(TokenKind::identifier) || text(word) != name) {
    diagnostics_.error(range(word), fmt::format("{} ends with {}", quoted(name), found()),
                       fmt::format("write: end {};", name));
    if (!is(TokenKind::identifier)) throw SyntaxError{};
  }
  advance();
  expect(TokenKind::semicolon, fmt::format("after 'end {}'", name));
}

}  // namespace driftless
