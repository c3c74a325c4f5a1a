#include "driftless/expression/adjoints.h"

#include <algorithm>

namespace driftless {

namespace {

// Lists of terms are short, as a rule; where they are not, terms of equal guards are found later by sorting.
constexpr int search_length = 4;

}  // namespace

Adjoints::Adjoints(Graph& graph, std::size_t nodes)
    : graph_(graph), first_(nodes, none), branches_{{always, {}, true, 0, graph.constant(1.0)}} {}

std::uint32_t Adjoints::one_more_node() {
  first_.push_back(none);
  return static_cast<std::uint32_t>(first_.size()) - 1;
}

Expr Adjoints::as_condition(const Branch& branch) {
  return branch.holds ? branch.condition : graph_.apply(Op::logical_not, branch.condition);
}

Adjoints::Guard Adjoints::inside(Guard outer, Expr condition, bool holds) {
  const auto [found, is_new] = yes_branches_.try_emplace({outer, condition.id}, static_cast<Guard>(branches_.size()));
  if (is_new) {
    for (const bool side : {true, false}) {
      Branch branch{outer, condition, side, branches_[outer].depth + 1, {}};
      branch.path = graph_.apply(Op::logical_and, branches_[outer].path, as_condition(branch));
      branches_.push_back(branch);
    }
  }
  return found->second + (holds ? 0 : 1);
}

void Adjoints::add(std::uint32_t node, Term term) {
  if (graph_.vanishes(term.value)) return;
  std::uint32_t at = first_[node];
  for (int k = 0; k < search_length && at != none; ++k, at = links_[at].next) {
    Term& present = links_[at].term;
    if (present.guard != term.guard) continue;
    present.value = graph_.add(present.value, term.value);
    return;
  }
  links_.push_back({term, first_[node]});
  first_[node] = static_cast<std::uint32_t>(links_.size()) - 1;
}

Adjoints::Term Adjoints::take(std::uint32_t node) {
  const Link& link = links_[first_[node]];
  if (link.next == none) return link.term;
  joining_.clear();
  for (std::uint32_t at = first_[node]; at != none; at = links_[at].next)
    joining_.push_back({links_[at].term.value, links_[at].term.guard, branches_[always].path});
  return join(joining_);
}

// Deepest last, and branches of one choice beside each other.
bool Adjoints::is_shallower(const PartialTerm& a, const PartialTerm& b) const {
  const Branch &x = branches_[a.guard], &y = branches_[b.guard];
  if (x.depth != y.depth) return x.depth < y.depth;
  if (x.outer != y.outer) return x.outer < y.outer;
  return a.guard < b.guard;
}

// Deepest first, from branch to branch outwards, until all have met.
Adjoints::Term Adjoints::join(std::vector<PartialTerm>& terms) {
  const auto order = [this](const PartialTerm& a, const PartialTerm& b) { return is_shallower(a, b); };
  std::make_heap(terms.begin(), terms.end(), order);
  const auto pop = [&] {
    std::pop_heap(terms.begin(), terms.end(), order);
    const PartialTerm top = terms.back();
    terms.pop_back();
    return top;
  };
  for (PartialTerm term = pop();; term = pop()) {
    if (terms.empty())
      return {term.value, graph_.is_constant(term.active) ? term.guard : inside(term.guard, term.active, true)};
    const Branch &branch = branches_[term.guard], &next = branches_[terms.front().guard];
    if (terms.front().guard == term.guard)
      term = sum(term, pop());
    else if (next.outer == branch.outer && next.condition == branch.condition && next.depth == branch.depth)
      term = outside(term, pop());
    else
      term = outside(term);
    terms.push_back(term);
    std::push_heap(terms.begin(), terms.end(), order);
  }
}

Adjoints::PartialTerm Adjoints::sum(const PartialTerm& a, const PartialTerm& b) {
  if (a.active == b.active) return {graph_.add(a.value, b.value), a.guard, a.active};
  return {graph_.add(graph_.select(a.active, a.value, {}), graph_.select(b.active, b.value, {})), a.guard,
          graph_.apply(Op::logical_or, a.active, b.active)};
}

// One branch alone.
Adjoints::PartialTerm Adjoints::outside(const PartialTerm& term) {
  const Branch& branch = branches_[term.guard];
  return {term.value, branch.outer, graph_.apply(Op::logical_and, as_condition(branch), term.active)};
}

// Both branches of a choice.
Adjoints::PartialTerm Adjoints::outside(const PartialTerm& a, const PartialTerm& b) {
  const Branch& branch = branches_[a.guard];
  const PartialTerm &yes = branch.holds ? a : b, &no = branch.holds ? b : a;
  return {graph_.select(branch.condition, yes.value, no.value), branch.outer,
          graph_.select(branch.condition, yes.active, no.active)};
}

Expr Adjoints::value_everywhere(Term term) { return graph_.select(branches_[term.guard].path, term.value, {}); }

}  // namespace driftless
