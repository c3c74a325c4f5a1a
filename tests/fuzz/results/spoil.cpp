#include "spoil.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace driftless::fuzz_results {

namespace {

constexpr std::string_view values[] = {
    "0",        "-1",      "1e308", "1e-308", "-0.0", "nan",  "inf",   "1e999", "1/0",        "2",
    "3",        "null",    "true",  "[]",     "{}",   "\"\"", "99999", "\"x\"", "[[",         "\x80",
    "\xff\xfe", "1000000", "\n\n",  ",",      ";",    " ",    "#",     "\"",    "4294967296", "18446744073709551615"};

std::size_t below(std::size_t n, std::mt19937_64& random) { return n == 0 ? 0 : random() % n; }

// A word of letters and digits that contains `place`.
std::pair<std::size_t, std::size_t> word_at(const std::string& bytes, std::size_t place) {
  const auto inside = [&](std::size_t k) {
    const auto c = static_cast<unsigned char>(bytes[k]);
    return std::isalnum(c) || c == '.' || c == '-' || c == '+';
  };
  std::size_t begin = place, end = place;
  while (begin > 0 && inside(begin - 1)) --begin;
  while (end < bytes.size() && inside(end)) ++end;
  return {begin, end - begin};
}

void spoil_once(std::string& bytes, const std::string& other, bool text, std::mt19937_64& random) {
  if (bytes.empty()) return;
  // The structure of HDF5 files is mostly at their beginning.
  const std::size_t range = !text && random() % 2 ? std::min<std::size_t>(bytes.size(), 4096) : bytes.size();
  const std::size_t place = below(range, random), some = 1 + below(32, random);
  switch (random() % (text ? 8 : 6)) {
    case 0: bytes[place] = static_cast<char>(bytes[place] ^ (1 << random() % 8)); break;
    case 1: bytes[place] = static_cast<char>(random()); break;
    case 2:  // a number of eight bytes that is far too large, or 0
      for (std::size_t k = place / 8 * 8, last = std::min(bytes.size(), k + 8); k < last; ++k)
        bytes[k] = random() % 4 ? '\xff' : '\0';
      break;
    case 3: bytes.erase(place, random() % 8 ? some : bytes.size()); break;
    case 4: bytes.insert(place, bytes.substr(below(bytes.size(), random), some)); break;
    case 5: bytes.replace(place, some, other.substr(below(other.size(), random), some)); break;
    default: {
      const auto [begin, size] = word_at(bytes, place);
      bytes.replace(begin, size, values[below(std::size(values), random)]);
    }
  }
}

}  // namespace

std::string spoilt(const Sample& sample, const std::vector<Sample>& corpus, std::mt19937_64& random) {
  std::string bytes = sample.bytes;
  const std::string& other = corpus[below(corpus.size(), random)].bytes;
  const std::size_t slips = 1 + below(random() % 4 ? 3 : 40, random);
  for (std::size_t k = 0; k < slips; ++k) spoil_once(bytes, other, sample.kind != "hdf5", random);
  return bytes;
}

}  // namespace driftless::fuzz_results
