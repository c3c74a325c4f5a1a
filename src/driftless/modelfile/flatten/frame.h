// The variables of functions and algorithms while they are run.
#pragma once

#include <unordered_map>
#include <vector>

#include "driftless/modelfile/flatten/value.h"
#include "driftless/modelfile/text/syntax.h"

namespace driftless {

// A variable of a function, or of an algorithm of a model while it is assigned.
struct Local {
  std::uint32_t name = 0;
  const Declaration* declaration = nullptr;
  Value value;
  std::vector<bool> assigned;  // by element
  bool is_input = false;
  bool is_flexible = false;  // declared with ':', its size is that of what is assigned
  bool pending = false;      // its declared value has not been needed yet
  bool busy = false;
  SourceRange last_assignment;
};

struct Frame {
  std::vector<Local> locals;
  std::unordered_map<std::uint32_t, std::size_t> by_name;

  Local* find(std::uint32_t name) {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : &locals[found->second];
  }
  Local& add(std::uint32_t name) {
    by_name[name] = locals.size();
    locals.emplace_back().name = name;
    return locals.back();
  }
};

// Which numbers of a stored array a reference with subscripts and fields means.
struct Selection {
  Type type;
  std::uint32_t width = 1;
  Dims dims;
  std::vector<std::size_t> indices;
};

}  // namespace driftless
