// What the reader has to say about a model: where, what, and what to do about it.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/modelfile/text/source.h"

namespace driftless {

enum class Severity { error, warning };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;
  SourcePlace place;        // line 0: about the file as a whole
  std::string source_line;  // the line of the place; empty if nobody has the text any more
  std::string message, suggestion;
};

// file:line:column, the message, the line with carets below the place, and the suggestion. Ends with a line end.
std::string render(const Diagnostic& diagnostic);
std::string render(const std::vector<Diagnostic>& diagnostics);

// For those who know a place but no longer the reading, such as the analysis of the flat model.
Diagnostic diagnostic_at(Severity severity, std::string_view file, std::string_view text, SourcePlace place,
                         std::string message, std::string suggestion = {});

// Collects what is found during one reading. After `most_errors` of them the rest is noise and not kept.
class Diagnostics {
 public:
  static constexpr std::size_t most_errors = 25;

  explicit Diagnostics(std::deque<Source>& sources) : sources_(sources) {}

  void error(SourceRange range, std::string message, std::string suggestion = {});
  void warning(SourceRange range, std::string message, std::string suggestion = {});

  std::size_t errors() const { return errors_; }
  bool full() const { return errors_ >= most_errors; }
  std::vector<Diagnostic> take();  // in the order of their places

 private:
  bool is_known(SourceRange range, const std::string& message) const;
  void add(Severity severity, SourceRange range, std::string message, std::string suggestion);

  struct Entry {
    SourceRange range;
    Diagnostic diagnostic;
  };
  std::deque<Source>& sources_;
  std::vector<Entry> list_;
  std::size_t errors_ = 0;
};

}  // namespace driftless
