// How the unknowns of a system lie one after another in a state, and what they are called.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/core/matrix.h"

namespace driftless {

using Names = std::vector<std::string>;

struct Block {
  std::string symbol;  // "u", "v", "lambda", ...
  std::size_t begin = 0;
  std::size_t size = 0;

  ConstSpan of(ConstSpan state) const { return state.subspan(begin, size); }
  Span of(Span state) const { return state.subspan(begin, size); }
};

class Layout {
 public:
  // Names may be shorter than the size or empty; the missing ones become symbol[0], symbol[1], ...
  void add(std::string symbol, std::size_t size, const Names& names = {});

  std::size_t size() const { return names_->size(); }
  const std::vector<Block>& blocks() const { return blocks_; }
  bool has(std::string_view symbol) const;
  const Block& block(std::string_view symbol) const;   // Misuse if there is none
  std::size_t size_of(std::string_view symbol) const;  // 0 if there is none
  const std::string& name(std::size_t component) const { return (*names_)[component]; }
  const Names& names() const { return *names_; }
  std::size_t find(std::string_view name) const;  // Misuse, with the known names, if there is none

  // How large the components usually are: what is small is small compared with these. Empty: all 1.
  void set_sizes(ConstSpan sizes);
  const Vector& sizes() const { return sizes_; }
  double usual_size(std::size_t component) const { return sizes_.empty() ? 1.0 : sizes_[component]; }

 private:
  std::vector<Block> blocks_;
  std::shared_ptr<const Names> names_ = std::make_shared<const Names>();  // copies share them
  Vector sizes_;
};

// `names`, completed to n entries as symbol[i]; Misuse if there are more than n or one is there twice.
Names complete_names(std::string_view symbol, std::size_t n, const Names& names);

}  // namespace driftless
