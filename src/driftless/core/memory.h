// How much memory work may take, and a refusal that says who needed how much, before it is taken.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <string_view>

namespace driftless {

// In words: what needed how much, and how much there is.
class OutOfMemory final : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// For the whole process; to begin with, or after 0, three quarters of what the machine has.
void set_memory_limit(std::size_t bytes);
std::size_t memory_limit();

// OutOfMemory if `what` cannot fit: "the rows of the output".
void require_memory(double bytes, std::string_view what);
// The same for `count` dense matrices of size n.
void require_dense(std::size_t n, double count, std::string_view what);

// OutOfMemory: `what` had no room any more.
[[noreturn]] void refuse_for_memory(std::string_view what);

// What the machine has, or the part of it that a container or the shell (ulimit) leaves.
double machine_memory();

std::string bytes_text(double bytes);  // "1.5 GB"

}  // namespace driftless
