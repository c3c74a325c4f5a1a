#include "driftless/modelfile/flatten/value.h"

#include <algorithm>
#include <limits>

namespace driftless {

std::string to_text(const Dims& dims) {
  if (dims.empty()) return "[] (one number)";
  std::string out = "[";
  for (const std::int64_t size : dims) {
    if (out.size() > 1) out += ", ";
    out += size < 0 ? ":" : std::to_string(size);
  }
  return out + "]";
}

std::int64_t count_elements(const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t size : dims) {
    if (size != 0 && count > std::numeric_limits<std::int64_t>::max() / size) {
      // Another size may still be zero, but no one needs arrays like that.
      return std::numeric_limits<std::int64_t>::max();
    }
    count *= size;
  }
  return count;
}

Value::Value(Type type, Dims dims, std::vector<Scalar> elements, std::uint32_t width)
    : type_(type), width_(width), dims_(std::move(dims)), many_(std::move(elements)) {
  if (dims_.empty() && width_ == 1 && many_.size() == 1) {
    single_ = many_[0];
    many_.clear();
  }
}

std::span<const Scalar> Value::elements() const {
  if (dims_.empty() && width_ == 1) return {&single_, 1};
  return many_;
}

std::span<Scalar> Value::elements() {
  if (dims_.empty() && width_ == 1) return {&single_, 1};
  return many_;
}

bool Value::is_constant() const {
  const auto all = elements();
  return std::all_of(all.begin(), all.end(), [](const Scalar& s) { return s.is_constant(); });
}

}  // namespace driftless
