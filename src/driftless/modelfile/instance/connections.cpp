#include "driftless/modelfile/instance/connections.h"

#include <fmt/format.h>

namespace driftless {

std::size_t Connections::top(std::size_t k) {
  while (above_[k] != k) k = above_[k] = above_[above_[k]];
  return k;
}

std::size_t Connections::point(const Member& variable, bool inside, SourceRange range) {
  const auto [known, added] = numbers_.try_emplace({&variable, inside}, points_.size());
  if (added) {
    points_.push_back({&variable, inside, range});
    above_.push_back(above_.size());
  }
  return known->second;
}

std::string Connections::add(const Member& a, bool a_inside, const Member& b, bool b_inside, SourceRange range) {
  if (a.is_flow != b.is_flow) return "one is a flow and the other is not";
  if (a.is_known || b.is_known) return "";
  const std::size_t first = top(point(a, a_inside, range)), second = top(point(b, b_inside, range));
  above_[std::max(first, second)] = std::min(first, second);
  return "";
}

std::string Connections::add(const ConnectorEnd& a, const ConnectorEnd& b, SourceRange range) {
  if ((a.variable != nullptr) != (b.variable != nullptr)) return "one is a variable and the other a connector";
  if (a.variable != nullptr) return add(*a.variable, a.inside, *b.variable, b.inside, range);
  if (a.connector->members.size() != b.connector->members.size()) return "they have not the same variables";
  for (const Member& own : a.connector->members) {
    const Member* other = b.connector->find(own.name);
    if (other == nullptr || other->kind != own.kind || other->elements.size() != own.elements.size())
      return "they have not the same variables";
    std::string trouble;
    if (own.kind == Member::Kind::variable) trouble = add(own, a.inside, *other, b.inside, range);
    for (std::size_t k = 0; trouble.empty() && k < own.elements.size(); ++k)
      trouble = add(ConnectorEnd{own.elements[k].get(), nullptr, a.inside, ""},
                    ConnectorEnd{other->elements[k].get(), nullptr, b.inside, ""}, range);
    if (!trouble.empty()) return trouble;
  }
  return "";
}

std::vector<Connections::Equation> Connections::equations() {
  std::map<std::size_t, std::vector<std::size_t>> sets;
  for (std::size_t k = 0; k < points_.size(); ++k) sets[top(k)].push_back(k);
  std::vector<Equation> all;
  for (const auto& [first, set] : sets) {
    if (points_[first].variable->is_flow) {
      Equation sum{.sum = true, .terms = {}, .range = points_[set.back()].range};
      for (const std::size_t k : set) sum.terms.push_back({points_[k].variable, !points_[k].inside});
      all.push_back(std::move(sum));
      continue;
    }
    for (std::size_t k = 1; k < set.size(); ++k)
      if (points_[set[k]].variable != points_[first].variable)
        all.push_back({false, {{points_[first].variable}, {points_[set[k]].variable}}, points_[set[k]].range});
  }
  for (const Flow& flow : flows_)
    if (!numbers_.contains({flow.variable, true})) all.push_back({true, {{flow.variable}}, flow.range});
  return all;
}

}  // namespace driftless
