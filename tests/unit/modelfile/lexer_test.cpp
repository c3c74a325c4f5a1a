#include "driftless/modelfile/text/lexer.h"

#include <gtest/gtest.h>

namespace driftless::lexer_test {
namespace {

struct Read {
  std::vector<TokenKind> kinds;
  std::vector<std::string> texts;
  std::vector<std::string> messages;
  bool base_modelica = false;
};

Read read(std::string_view text) {
  std::deque<Source> sources;
  sources.emplace_back("m.mo", text);
  Diagnostics diagnostics(sources);
  const Words words = split_into_words(sources[0], 0, diagnostics);
  Read out;
  out.base_modelica = words.base_modelica;
  for (const Token& token : words.tokens) {
    out.kinds.push_back(token.kind);
    out.texts.emplace_back(sources[0].text({token.begin, token.end}));
  }
  for (const Diagnostic& diagnostic : diagnostics.take()) out.messages.push_back(diagnostic.message);
  return out;
}

using Texts = std::vector<std::string>;

TEST(Lexer, SplitsTextIntoWords) {
  const std::vector<std::pair<std::string, Texts>> table{
      {"der(x)=-9.81;", {"der", "(", "x", ")", "=", "-", "9.81", ";", ""}},
      {"a<=b>=c<>d==e<f>g", {"a", "<=", "b", ">=", "c", "<>", "d", "==", "e", "<", "f", ">", "g", ""}},
      {"a.*b./c.^d.+e.-f", {"a", ".*", "b", "./", "c", ".^", "d", ".+", "e", ".-", "f", ""}},
      {"1:n", {"1", ":", "n", ""}},
      {"1.5e-3 2E5 3. 7", {"1.5e-3", "2E5", "3.", "7", ""}},
      {"2.*x", {"2", ".*", "x", ""}},
      {"x := y", {"x", ":=", "y", ""}},
      {"'a.b[1] \\' c' \"s \\\" t\"", {"'a.b[1] \\' c'", "\"s \\\" t\"", ""}},
      {"a // b\nc /* d \n e */ f", {"a", "c", "f", ""}},
      {"x @ 12", {"x", "@", "12", ""}},
      {"\xEF\xBB\xBFmodel", {"model", ""}},
  };
  for (const auto& [text, words] : table) {
    const Read out = read(text);
    EXPECT_EQ(out.texts, words) << text;
    EXPECT_TRUE(out.messages.empty()) << text;
  }
}

TEST(Lexer, TellsKindsApart) {
  const Read out = read("model 'model' modell 1 1.0 1e3 \"x\" <>");
  const std::vector<TokenKind> kinds{TokenKind::key_model,      TokenKind::identifier,  TokenKind::identifier,
                                     TokenKind::integer_number, TokenKind::real_number, TokenKind::real_number,
                                     TokenKind::string,         TokenKind::not_equal,   TokenKind::end_of_file};
  EXPECT_EQ(out.kinds, kinds);
}

TEST(Lexer, EveryKeyWordAndOperatorIsRecognised) {
  for (auto kind = TokenKind::left_parenthesis; kind <= TokenKind::key_within;
       kind = static_cast<TokenKind>(static_cast<int>(kind) + 1)) {
    const Read out = read(std::string(spelling(kind)));
    ASSERT_EQ(out.kinds.size(), 2u) << spelling(kind);
    EXPECT_EQ(out.kinds[0], kind) << spelling(kind);
  }
}

TEST(Lexer, KnowsTheHeaderOfBaseModelica) {
  EXPECT_TRUE(read("//! base 0.1.0\npackage 'A'").base_modelica);
  EXPECT_TRUE(read("\xEF\xBB\xBF//! base 0.1.0\r\npackage 'A'").base_modelica);
  EXPECT_FALSE(read("// base 0.1.0").base_modelica);
  EXPECT_FALSE(read(" //! base 0.1.0").base_modelica);
  EXPECT_EQ(read("//! base 7.0.0").messages, Texts{"Base Modelica of version '7.0.0' is not known"});
}

TEST(Lexer, ComplainsAboutWhatIsNoWord) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"a != b", "'!=' is no operator of Modelica"},
      {"a && b", "'&&' is no operator of Modelica"},
      {"x ** 2", "'**' is no operator of Modelica"},
      {"2x", "'2x' is neither a number nor a name"},
      {"1.5e", "'1.5e' is neither a number nor a name"},
      {".5", "a number needs a digit before the point"},
      {"'abc", "this quoted name does not end"},
      {"'a\\", "this quoted name does not end"},
      {"''", "a quoted name may not be empty"},
      {"\"abc", "this string does not end"},
      {"\"abc\\", "this string does not end"},
      {"/* abc", "this comment does not end"},
      {"a \xC3\xA4", "the character '\xC3\xA4' is not expected here"},
      {std::string("a \x01", 3), "the character with code 1 is not expected here"},
      {std::string("a \0 b", 5), "the character with code 0 is not expected here"},
  };
  for (const auto& [text, message] : table) EXPECT_EQ(read(text).messages, Texts{message}) << text;
}

TEST(Lexer, ResolvesEscapes) {
  EXPECT_EQ(unescaped(R"("a\"b\\c\td\ne")"), "a\"b\\c\td\ne");
  EXPECT_EQ(unescaped("\"\""), "");
}

}  // namespace
}  // namespace driftless::lexer_test
