#include "bench/elimination.h"

#include <map>

namespace bench {

namespace {

std::size_t place_of(Entries& entries, int i, int j, std::map<std::pair<int, int>, std::size_t>& known) {
  const auto [at, is_new] = known.try_emplace({i, j}, entries.size());
  if (is_new) entries.add(i, j);
  return at->second;
}

}  // namespace

Elimination::Elimination(const Mechanism& mechanism, const BlockValues& values)
    : g_(values[index_of(Block::constraint)]) {
  const auto entries = [&](Block block) -> const Entries& { return mechanism.entries(block); };
  const auto numbers = [&](Block block) -> const std::vector<double>& { return values[index_of(block)]; };
  parts_[0] = make_part(mechanism, entries(Block::stiffness), false, numbers(Block::stiffness));
  parts_[1] = make_part(mechanism, entries(Block::damping), false, numbers(Block::damping));
  parts_[2] = make_part(mechanism, entries(Block::constraint), true, numbers(Block::constraint));
  add_direct(parts_[0], entries(Block::acceleration), numbers(Block::acceleration), 1.0);
  add_direct(parts_[1], entries(Block::rate), numbers(Block::rate), 2.0);
  for (Part& part : parts_) part.values.assign(part.entries.size(), 0.0);
}

Elimination::Part Elimination::make_part(const Mechanism& mechanism, const Entries& other, bool transposed,
                                         const std::vector<double>& values) {
  Part part;
  part.other = &values;
  std::map<std::pair<int, int>, std::size_t> known;
  std::vector<std::vector<std::size_t>> in_row(static_cast<std::size_t>(mechanism.n()));
  for (std::size_t k = 0; k < other.size(); ++k)
    in_row[static_cast<std::size_t>(transposed ? other.col[k] : other.row[k])].push_back(k);
  const Entries& g = mechanism.entries(Block::constraint);
  for (std::size_t k = 0; k < g.size(); ++k) {
    const auto i = static_cast<std::size_t>(g.col[k]);
    for (const std::size_t l : in_row[i]) {
      const int j = transposed ? other.row[l] : other.col[l];
      part.products.push_back({k, l, place_of(part.entries, g.row[k], j, known), 1.0 / mechanism.diagonal_mass()[i]});
    }
  }
  return part;
}

void Elimination::add_direct(Part& part, const Entries& direct, const std::vector<double>& values, double factor) {
  part.direct = &values;
  part.factor = factor;
  std::map<std::pair<int, int>, std::size_t> known;
  for (std::size_t k = 0; k < part.entries.size(); ++k) known[{part.entries.row[k], part.entries.col[k]}] = k;
  for (std::size_t k = 0; k < direct.size(); ++k)
    part.direct_place.push_back(place_of(part.entries, direct.row[k], direct.col[k], known));
}

void Elimination::update(bool all) {
  for (std::size_t p = all ? 0 : 2; p < 3; ++p) {
    Part& part = parts_[p];
    std::fill(part.values.begin(), part.values.end(), 0.0);
    for (std::size_t k = 0; k < part.direct_place.size(); ++k)
      part.values[part.direct_place[k]] += part.factor * (*part.direct)[k];
    for (const Product& x : part.products) part.values[x.out] -= g_[x.g] * x.per_mass * (*part.other)[x.other];
  }
}

}  // namespace bench
