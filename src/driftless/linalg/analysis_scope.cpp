#include "driftless/linalg/analysis_scope.h"

#include <algorithm>

namespace driftless {

namespace {

// A run has a few patterns; one with many modes may have more, and then the oldest are forgotten.
constexpr std::size_t most_kept = 24;

std::uint64_t fold(std::uint64_t seed, std::span<const std::uint32_t> numbers) {
  for (const std::uint32_t x : numbers) seed = (seed ^ x) * 0x100000001b3ULL;  // Fowler, Noll and Vo
  return seed;
}

// What was found for a pattern and a few numbers more.
template <class Found>
class Shelf {
 public:
  std::shared_ptr<const Found> find(const Pattern& pattern, std::span<const std::uint32_t> more) const {
    const std::uint64_t hash = hash_of(pattern, more);
    const auto at = std::ranges::find_if(books_, [&](const Book& book) {
      return book.hash == hash && book.pattern == pattern && std::ranges::equal(book.more, more);
    });
    return at != books_.end() ? at->found : nullptr;
  }
  void put(const Pattern& pattern, std::span<const std::uint32_t> more, std::shared_ptr<const Found> found) {
    if (books_.size() == most_kept) books_.erase(books_.begin());
    books_.push_back({hash_of(pattern, more), pattern, {more.begin(), more.end()}, std::move(found)});
  }

 private:
  struct Book {
    std::uint64_t hash;
    Pattern pattern;
    std::vector<std::uint32_t> more;
    std::shared_ptr<const Found> found;
  };
  static std::uint64_t hash_of(const Pattern& pattern, std::span<const std::uint32_t> more) {
    return fold(fold(fold(0xcbf29ce484222325ULL, pattern.begin), pattern.row), more);
  }
  std::vector<Book> books_;
};

}  // namespace

struct AnalysisScope::Store {
  Shelf<SymbolicLu> symbolic;
  Shelf<std::vector<std::uint32_t>> orders;
  Shelf<KnownRedundancy> redundancies;
  std::size_t served = 0;
  static inline constinit thread_local Store* current = nullptr;
};

AnalysisScope::AnalysisScope() {
  if (Store::current != nullptr) return;
  own_ = std::make_unique<Store>();
  Store::current = own_.get();
}

AnalysisScope::~AnalysisScope() {
  if (own_) Store::current = nullptr;
}

std::size_t AnalysisScope::served() { return Store::current != nullptr ? Store::current->served : 0; }

namespace {

std::uint32_t short_number(std::size_t n) { return static_cast<std::uint32_t>(n); }

template <class Found>
std::shared_ptr<Found> counted(std::size_t& served, std::shared_ptr<Found> found) {
  if (found) ++served;
  return found;
}

}  // namespace

std::shared_ptr<const SymbolicLu> KnownAnalyses::symbolic(const Pattern& pattern, Order order) {
  auto* const store = AnalysisScope::Store::current;
  return store != nullptr ? counted(store->served, store->symbolic.find(pattern, order)) : nullptr;
}

void KnownAnalyses::keep(const Pattern& pattern, Order order, std::shared_ptr<const SymbolicLu> found) {
  if (auto* const store = AnalysisScope::Store::current) store->symbolic.put(pattern, order, std::move(found));
}

std::shared_ptr<const std::vector<std::uint32_t>> KnownAnalyses::saddle_order(const Pattern& pattern, std::size_t n) {
  const std::uint32_t columns = short_number(n);
  auto* const store = AnalysisScope::Store::current;
  return store != nullptr ? counted(store->served, store->orders.find(pattern, {&columns, 1})) : nullptr;
}

void KnownAnalyses::keep(const Pattern& pattern, std::size_t n,
                         std::shared_ptr<const std::vector<std::uint32_t>> order) {
  const std::uint32_t columns = short_number(n);
  if (auto* const store = AnalysisScope::Store::current) store->orders.put(pattern, {&columns, 1}, std::move(order));
}

std::shared_ptr<const KnownRedundancy> KnownAnalyses::redundancy(const Pattern& pattern, std::size_t n) {
  const std::uint32_t columns = short_number(n);
  auto* const store = AnalysisScope::Store::current;
  return store != nullptr ? counted(store->served, store->redundancies.find(pattern, {&columns, 1})) : nullptr;
}

void KnownAnalyses::keep(const Pattern& pattern, std::size_t n, std::shared_ptr<const KnownRedundancy> found) {
  const std::uint32_t columns = short_number(n);
  if (auto* const store = AnalysisScope::Store::current)
    store->redundancies.put(pattern, {&columns, 1}, std::move(found));
}

}  // namespace driftless
