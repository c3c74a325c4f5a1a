#include "mutate.h"

#include <cctype>
#include <string_view>
#include <vector>

#include "corpus.h"

namespace {

constexpr std::string_view words[] = {"(",           ")",
                                      "[",           "]",
                                      "{",           "}",
                                      ",",           ";",
                                      ":",           ".",
                                      "@",           "=",
                                      ":=",          "+",
                                      "-",           "*",
                                      "/",           "^",
                                      ".*",          "./",
                                      ".^",          "<",
                                      "<=",          ">",
                                      "==",          "<>",
                                      "if",          "then",
                                      "else",        "elseif",
                                      "end",         "end if",
                                      "for",         "in",
                                      "loop",        "while",
                                      "when",        "elsewhen",
                                      "equation",    "algorithm",
                                      "initial",     "model",
                                      "function",    "record",
                                      "type",        "parameter",
                                      "constant",    "discrete",
                                      "input",       "output",
                                      "Real",        "Integer",
                                      "Boolean",     "String",
                                      "der",         "pre",
                                      "edge",        "change",
                                      "sample",      "noEvent",
                                      "reinit",      "assert",
                                      "terminate",   "time",
                                      "true",        "false",
                                      "not",         "and",
                                      "or",          "each",
                                      "final",       "annotation",
                                      "external",    "break",
                                      "return",      "protected",
                                      "enumeration", "0",
                                      "1",           "-1",
                                      "2",           "3",
                                      "1e9",         "1e308",
                                      "1e-308",      "9007199254740992",
                                      "2147483648",  "0.1",
                                      "\"s\"",       "'q.r'",
                                      "x",           "y",
                                      "n",           "sum",
                                      "product",     "min",
                                      "max",         "size",
                                      "ndims",       "scalar",
                                      "vector",      "matrix",
                                      "transpose",   "outerProduct",
                                      "symmetric",   "cross",
                                      "skew",        "identity",
                                      "diagonal",    "zeros",
                                      "ones",        "fill",
                                      "linspace",    "cat",
                                      "array",       "sin",
                                      "sqrt",        "log",
                                      "mod",         "floor",
                                      "integer",     "div",
                                      "rem",         "abs",
                                      "delay",       "initial()",
                                      "terminal()",  "homotopy",
                                      "semiLinear",  "smooth",
                                      "start",       "fixed",
                                      "\\",          "/*",
                                      "*/",          "//",
                                      "'",           "\"",
                                      "\n",          "\xC3\xA4",
                                      "\xFF",        "E",
                                      "P",           "f",
                                      "guess",       "prioritize",
                                      "StateSelect", "Modelica.Constants.pi"};

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random() % n); }

// Words, numbers and single characters; blanks stay with the word before them, so that nothing is lost.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
    }
    while (end < text.size() && (text[end] == ' ' || text[end] == '\n')) ++end;
    parts.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return parts;
}

std::string random_word(Random& random) { return std::string(words[below(random, std::size(words))]) + " "; }

void spoil_words(std::vector<std::string>& parts, Random& random) {
  if (parts.empty()) return;
  const std::size_t at = below(random, parts.size());
  const auto here = parts.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(random, 9)) {
    case 0: parts.erase(here); break;
    case 1: parts.insert(here, std::string(parts[at])); break;
    case 2: std::swap(parts[at], parts[below(random, parts.size())]); break;
    case 3: parts[at] = random_word(random); break;
    case 4: parts.insert(here, random_word(random)); break;
    case 5: parts[at] = std::string(parts[below(random, parts.size())]); break;
    case 6: {  // a stretch is left out
      const std::size_t length = std::min(below(random, 20), parts.size() - at);
      parts.erase(here, here + static_cast<std::ptrdiff_t>(length));
      break;
    }
    case 7: {  // a stretch of another model
      const auto other = split(corpus()[below(random, corpus().size())]);
      const std::size_t from = below(random, other.size()), length = std::min(below(random, 40), other.size() - from);
      parts.insert(here, other.begin() + static_cast<std::ptrdiff_t>(from),
                   other.begin() + static_cast<std::ptrdiff_t>(from + length));
      break;
    }
    default: {  // a stretch is repeated, perhaps often
      const std::size_t length = std::min(1 + below(random, 10), parts.size() - at);
      const std::vector<std::string> stretch(here, here + static_cast<std::ptrdiff_t>(length));
      const std::size_t times = 1 + below(random, below(random, 10) == 0 ? 400 : 4);
      std::vector<std::string> copies;
      for (std::size_t k = 0; k < times; ++k) copies.insert(copies.end(), stretch.begin(), stretch.end());
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), copies.begin(), copies.end());
      break;
    }
  }
}

enum class Sort { name, number, operation, other };

Sort sort_of(std::string_view part) {
  const auto c = static_cast<unsigned char>(part[0]);
  if (std::isdigit(c) != 0) return Sort::number;
  if (std::isalpha(c) != 0) return Sort::name;
  return std::string_view("+-*/^<>").find(part[0]) != std::string_view::npos ? Sort::operation : Sort::other;
}

// A word is replaced by another one of its sort, so that the result is likely to be a sentence of the language.
void exchange_word(std::vector<std::string>& parts, Random& random) {
  if (parts.empty()) return;
  std::string& part = parts[below(random, parts.size())];
  const Sort sort = sort_of(part);
  if (sort == Sort::other) return;
  for (int attempt = 0; attempt < 50; ++attempt) {
    const std::string candidate = below(random, 3) == 0 ? random_word(random) : parts[below(random, parts.size())];
    if (sort_of(candidate) != sort || candidate == part) continue;
    part = candidate;
    return;
  }
}

void spoil_bytes(std::string& text, Random& random) {
  if (text.empty()) return;
  const std::size_t at = below(random, text.size());
  switch (below(random, 4)) {
    case 0: text.erase(at, 1 + below(random, 8)); break;
    case 1: text[at] = static_cast<char>(below(random, 256)); break;
    case 2: text.insert(at, 1, static_cast<char>(below(random, 256))); break;
    default: text.resize(at); break;
  }
}

}  // namespace

std::string spoilt_model(std::mt19937_64& random) {
  std::vector<std::string> parts = split(corpus()[below(random, corpus().size())]);
  const bool gentle = below(random, 2) == 0;
  const std::size_t slips = 1 + below(random, !gentle && below(random, 4) == 0 ? 30 : 4);
  for (std::size_t k = 0; k < slips; ++k) {
    if (gentle) {
      exchange_word(parts, random);
    } else {
      spoil_words(parts, random);
    }
  }
  std::string text;
  for (const std::string& part : parts) text += part;
  if (!gentle && below(random, 5) == 0) {
    for (std::size_t k = 0; k < 1 + below(random, 4); ++k) spoil_bytes(text, random);
  }
  return text;
}
