// The text of a model with its name, and where things are in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/modelfile/flatten/flat_model.h"

namespace driftless {

// Bytes [begin, end) of one of the sources of a reading: 0 is the model file, others are overridden values.
struct SourceRange {
  std::uint32_t begin = 0, end = 0;
  std::uint16_t source = 0;
};

class Source {
 public:
  Source(std::string_view file, std::string_view text);

  const std::string& file() const { return file_; }
  std::string_view text() const { return text_; }
  std::string_view text(SourceRange range) const { return text().substr(range.begin, range.end - range.begin); }

  // Columns and lengths count characters, not bytes, so that a caret is where an editor has it.
  SourcePlace place(SourceRange range) const;
  std::string_view line(std::uint32_t number) const;  // 1-based, without its line end; empty if there is none

 private:
  std::size_t characters_before(std::size_t byte) const;

  std::string file_, text_;
  std::vector<std::uint32_t> line_begins_;
  // Before each block of bytes, since a line may be as long as a file; empty: every byte is one.
  std::vector<std::uint32_t> characters_;
};

// On one line, comments and surplus blanks left out: how equations are quoted in messages. Cut after `limit`
// characters.
std::string collapsed(std::string_view text, std::size_t limit);

std::size_t count_characters(std::string_view utf8);

}  // namespace driftless
