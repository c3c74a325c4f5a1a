// A run's memory as text: numbers in hexadecimal, so that reading gives the same bits.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <sstream>

#include "driftless/core/failure.h"
#include "driftless/core/matrix.h"
#include "driftless/integrate/statistics.h"

namespace driftless {

inline constexpr const char* checkpoint_magic = "driftless-checkpoint-3";

class CheckpointWriter {
 public:
  explicit CheckpointWriter(const std::string& method) : text_(fmt::format("{}\n{}\n", checkpoint_magic, method)) {}
  void operator()(double x) { text_ += fmt::format("{:a}\n", x); }
  void operator()(bool x) { text_ += x ? "1\n" : "0\n"; }
  void operator()(int x) { text_ += fmt::format("{}\n", x); }
  void operator()(std::size_t x) { text_ += fmt::format("{}\n", x); }
  void operator()(const Vector& x) {
    (*this)(x.size());
    for (double value : x) (*this)(value);
  }
  void operator()(const Matrix& x) {
    (*this)(x.rows() * x.cols());
    for (std::size_t i = 0; i < x.rows() * x.cols(); ++i) (*this)(x.data()[i]);
  }
  void operator()(const Statistics& x) { visit_counts(x, *this); }
  // Parts that name what they remember; a visit changes nothing that this visitor only reads.
  template <class Part>
  requires requires(Part& part, CheckpointWriter& writer) { part.visit(writer); }
  void operator()(const Part& part) { const_cast<Part&>(part).visit(*this); }
  template <class... Parts>
  requires(sizeof...(Parts) > 1) void operator()(const Parts&... parts) { ((*this)(parts), ...); }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class CheckpointReader {
 public:
  CheckpointReader(const std::string& text, const std::string& method) : stream_(text) {
    if (word() != checkpoint_magic) throw Misuse("this is no checkpoint of a run, or one of another version");
    if (const std::string found = word(); found != method)
      throw Misuse(fmt::format("this is a checkpoint of the method '{}', not of '{}'", found, method));
  }
  void operator()(double& x) { x = number(); }
  void operator()(bool& x) { x = number() != 0.0; }
  void operator()(int& x) { x = static_cast<int>(number()); }
  void operator()(std::size_t& x) { x = static_cast<std::size_t>(number()); }
  void operator()(Vector& x) {
    expect(x.size());
    for (double& value : x) value = number();
  }
  void operator()(Matrix& x) {
    expect(x.rows() * x.cols());
    for (std::size_t i = 0; i < x.rows() * x.cols(); ++i) x.data()[i] = number();
  }
  void operator()(Statistics& x) { visit_counts(x, *this); }
  template <class Part>
  requires requires(Part& part, CheckpointReader& reader) { part.visit(reader); }
  void operator()(Part& part) { part.visit(*this); }
  template <class... Parts>
  requires(sizeof...(Parts) > 1) void operator()(Parts&... parts) { ((*this)(parts), ...); }
  // What is left, for a part that has a checkpoint of its own.
  std::string rest() { return {std::istreambuf_iterator<char>(stream_ >> std::ws), {}}; }

 private:
  std::string word() {
    std::string result;
    if (!(stream_ >> result)) throw Misuse("the checkpoint ends too early");
    return result;
  }
  double number() {
    const std::string text = word();
    char* end = nullptr;
    const double x = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0')
      throw Misuse(fmt::format("the checkpoint has '{}' where a number should be", text));
    return x;
  }
  void expect(std::size_t size) {
    if (static_cast<std::size_t>(number()) != size)
      throw Misuse("the checkpoint belongs to equations or options of another size");
  }
  std::istringstream stream_;
};

}  // namespace driftless
