// The recursive descent behind parse.h, one member per rule of the grammar.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>

#include "driftless/modelfile/text/diagnostic.h"
#include "driftless/modelfile/text/lexer.h"
#include "driftless/modelfile/text/syntax.h"

namespace driftless {

class Parser {
 public:
  Parser(SyntaxTree& tree, std::uint16_t source, std::vector<Token> tokens, Diagnostics& diagnostics);

  void parse_file();
  NodeId parse_only_expression();

 private:
  struct SyntaxError {};  // thrown after the message is recorded, caught where the parser can go on
  enum class Section { equation, initial_equation, algorithm };

  // Deeper trees would endanger the stack here and in all that walk them.
  static constexpr int deepest = 400;
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest) parser_.fail_too_deep();
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // words (parser.cpp)
  const Token& current() const { return tokens_[at_]; }
  const Token& ahead(std::size_t k = 1) const { return tokens_[std::min(at_ + k, tokens_.size() - 1)]; }
  bool is(TokenKind kind) const { return current().kind == kind; }
  bool is_word(const Token& token, std::string_view word) const;
  std::string_view text(const Token& token) const { return source_text_.substr(token.begin, token.end - token.begin); }
  Token advance();
  bool accept(TokenKind kind);
  Token expect(TokenKind kind, std::string_view where);
  std::uint32_t expect_name(std::string_view where);
  std::string found() const;
  SourceRange range(const Token& token) const { return {token.begin, token.end, source_}; }
  SourceRange range_from(std::uint32_t begin) const { return {begin, std::max(begin, last_end_), source_}; }
  SourceRange place_of_missing(TokenKind kind) const;
  [[noreturn]] void fail(SourceRange range, std::string message, std::string suggestion = {});
  [[noreturn]] void fail_here(std::string message, std::string suggestion = {});
  [[noreturn]] void fail_too_deep();
  void refuse_if_not_covered();
  void skip_decoration();
  std::string parse_description();
  void recover();
  bool at_section_end() const;

  // expressions (parse_expression.cpp)
  NodeId parse_expression();
  NodeId parse_simple_expression();
  NodeId parse_choice();
  NodeId parse_or();
  NodeId parse_and();
  NodeId parse_not();
  NodeId parse_relation();
  NodeId parse_sum();
  NodeId parse_product();
  NodeId parse_power();
  NodeId parse_primary();
  NodeId parse_number();
  NodeId parse_string();
  NodeId parse_parenthesis();
  NodeId parse_array();
  NodeId parse_matrix();
  NodeId parse_reference_or_call();
  NodeId parse_reference();
  NodeId parse_call(NodeId callee);
  NodeId parse_argument();
  void parse_subscripts();
  NodeId parse_comprehension(NodeId body, std::uint32_t begin);
  void parse_iterators();
  NodeId make_name(const Token& token);
  NodeId make_node(NodeKind kind, std::uint32_t begin, std::size_t pending_from);
  NodeId make_node(NodeKind kind, std::uint32_t begin, std::initializer_list<NodeId> children);

  // equations and statements (parse_statement.cpp)
  std::vector<Statement> parse_statements(Section section);
  Statement parse_statement(Section section);
  Statement parse_equation(Section section);
  Statement parse_assignment();
  Statement parse_branches(Statement::Kind kind, Section section);
  Statement parse_loop(Section section);
  Statement parse_while();
  Statement parse_prioritize();
  Statement parse_connect();
  void expect_end_of(TokenKind kind);
  void finish_statement();

  // declarations and modifications (parse_declaration.cpp)
  void parse_element(ClassDefinition& owner, bool is_protected);
  void refuse_misspelt_section(const TypeName& type);
  void parse_components(ClassDefinition& owner, const Declaration& prefix);
  std::uint32_t parse_declared_name();
  Guess parse_guess();
  std::vector<NodeId> parse_sizes();
  TypeName parse_type_name();
  // parse_dump.cpp
  std::uint32_t expect_class_name(std::string_view where);
  void parse_literals(ClassDefinition& enumeration);
  TypeName parse_enumeration_type();
  std::optional<std::uint32_t> enumeration_named_by(NodeId value, const ClassDefinition& enumeration);
  void name_enumerations();
  std::vector<Modification> parse_modifications();
  Modification parse_modification();
  void parse_redeclaration(Modification& modification);
  std::vector<Modification> parse_annotation();
  void skip_annotation_entry();

  // classes (parse_class.cpp)
  bool at_class() const;
  void parse_class(ClassDefinition& owner);
  void parse_class_body(ClassDefinition& definition);
  bool parse_section(ClassDefinition& definition, bool& is_protected);
  void parse_short_class(ClassDefinition& definition);
  void parse_external(ClassDefinition& definition);
  void parse_extends(ClassDefinition& definition);
  void parse_import(ClassDefinition& definition);
  void skip_constraining();
  void parse_class_end(const ClassDefinition& definition);
  void parse_file_entry();
  bool holds_everything() const;

  SyntaxTree& tree_;
  std::uint16_t source_;
  std::string_view source_text_;
  std::vector<Token> tokens_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::uint32_t last_end_ = 0;  // of the token before the current one
  int depth_ = 0;
  bool in_package_ = false;
  bool package_has_name_ = false;
  bool missing_semicolon_ = false;                      // that is what the last error was about
  std::vector<std::uint32_t> pending_;                  // children of nodes under construction
  std::map<std::uint32_t, ClassDefinition> anonymous_;  // enumerations, by the names that stand for their literals
};

}  // namespace driftless
