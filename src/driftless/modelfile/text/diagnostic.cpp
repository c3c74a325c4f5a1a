#include "driftless/modelfile/text/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace driftless {

namespace {

constexpr std::size_t widest = 140;  // characters of a source line that are shown

// What a terminal might obey becomes '?'.
char harmless(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '\t' || (byte >= 0x20 && byte != 0x7F) ? c : '?';
}

// Bytes of the first `count` characters.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; };
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) {
    do ++end;
    while (end < text.size() && continues(end));
  }
  return end;
}

struct Excerpt {
  std::string line, carets;
};

// The line around the place, and carets below it; tabs are kept in both, so that they align. The line may be as long as
// a file: what is not shown is only counted.
Excerpt excerpt_of(const Diagnostic& diagnostic) {
  const std::string_view line = diagnostic.source_line;
  const std::size_t length = count_characters(line);
  const std::size_t column = diagnostic.place.column > 0 ? diagnostic.place.column - 1 : 0;
  const std::size_t from = length > widest && column > widest / 2 ? column - widest / 2 : 0;
  std::string_view shown = line.substr(bytes_of(line, from));
  shown = shown.substr(0, bytes_of(shown, widest));
  Excerpt excerpt;
  if (from > 0) excerpt = {"...", "   "};
  std::transform(shown.begin(), shown.end(), std::back_inserter(excerpt.line), [](char c) { return harmless(c); });
  if (from + widest < length) excerpt.line += "...";
  for (std::size_t i = from; i < column; ++i) {
    const bool tab = !shown.empty() && shown.front() == '\t';
    excerpt.carets += tab ? '\t' : ' ';
    shown.remove_prefix(bytes_of(shown, 1));
  }
  const std::size_t room = std::max<std::size_t>(count_characters(shown), 1);
  excerpt.carets.append(std::clamp<std::size_t>(diagnostic.place.length, 1, room), '^');
  return excerpt;
}

// Names and quoted text may hold anything; one line per message.
std::string harmless(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\t' ? ' ' : harmless(c);
  return out;
}

}  // namespace

std::string render(const Diagnostic& diagnostic) {
  const char* const severity = diagnostic.severity == Severity::error ? "error" : "warning";
  std::string out = diagnostic.file;
  if (diagnostic.place.line > 0) out += fmt::format(":{}:{}", diagnostic.place.line, diagnostic.place.column);
  out += fmt::format(": {}: {}\n", severity, harmless(diagnostic.message));
  std::string margin(4, ' ');
  if (diagnostic.place.line > 0 && !diagnostic.source_line.empty()) {
    const Excerpt excerpt = excerpt_of(diagnostic);
    const std::string number = fmt::format("{:>4}", diagnostic.place.line);
    margin.assign(number.size(), ' ');
    out += fmt::format("{} | {}\n{} | {}\n", number, excerpt.line, margin, excerpt.carets);
  }
  if (!diagnostic.suggestion.empty()) out += fmt::format("{} = {}\n", margin, harmless(diagnostic.suggestion));
  return out;
}

std::string render(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += render(diagnostic);
  return out;
}

Diagnostic diagnostic_at(Severity severity, std::string_view file, std::string_view text, SourcePlace place,
                         std::string message, std::string suggestion) {
  const std::string line(Source(file, text).line(place.line));
  return {severity, std::string(file), place, line, std::move(message), std::move(suggestion)};
}

// A function that is called twice has its errors once.
bool Diagnostics::is_known(SourceRange range, const std::string& message) const {
  return std::any_of(list_.begin(), list_.end(), [&](const Entry& entry) {
    return entry.range.source == range.source && entry.range.begin == range.begin && entry.range.end == range.end &&
           entry.diagnostic.message == message;
  });
}

void Diagnostics::error(SourceRange range, std::string message, std::string suggestion) {
  if (full() || is_known(range, message)) return;
  ++errors_;
  add(Severity::error, range, std::move(message), std::move(suggestion));
}

void Diagnostics::warning(SourceRange range, std::string message, std::string suggestion) {
  if (list_.size() >= 4 * most_errors || is_known(range, message)) return;
  add(Severity::warning, range, std::move(message), std::move(suggestion));
}

void Diagnostics::add(Severity severity, SourceRange range, std::string message, std::string suggestion) {
  const Source& source = sources_[range.source];
  const SourcePlace place = source.place(range);
  list_.push_back({range,
                   {severity, source.file(), place, std::string(source.line(place.line)), std::move(message),
                    std::move(suggestion)}});
}

std::vector<Diagnostic> Diagnostics::take() {
  std::stable_sort(list_.begin(), list_.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.range.source, a.range.begin) < std::pair(b.range.source, b.range.begin);
  });
  std::vector<Diagnostic> diagnostics;
  for (Entry& entry : list_) diagnostics.push_back(std::move(entry.diagnostic));
  list_.clear();
  return diagnostics;
}

}  // namespace driftless
