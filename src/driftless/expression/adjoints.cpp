#include "driftless/expression/adjoints.h"

#include <algorithm>
#include <utility>

namespace driftless {

Adjoints::Adjoints(Graph& graph, std::size_t nodes)
    : graph_(graph), first_(nodes, none), branches_{{always, {}, true, 0}} {}

Adjoints::Guard Adjoints::inside(Guard outer, Expr condition, bool holds) {
  const auto [found, is_new] = yes_branches_.try_emplace({outer, condition.id}, static_cast<Guard>(branches_.size()));
  if (is_new) {
    const std::uint32_t depth = branches_[outer].depth + 1;
    branches_.push_back({outer, condition, true, depth});
    branches_.push_back({outer, condition, false, depth});
  }
  return found->second + (holds ? 0 : 1);
}

void Adjoints::add(std::uint32_t node, Term term) {
  if (graph_.is_constant(term.value, 0.0)) return;
  std::uint32_t* place = &first_[node];
  for (; *place != none; place = &links_[*place].next) {
    Term& present = links_[*place].term;
    if (present.guard != term.guard) continue;
    present.value = graph_.add(present.value, term.value);
    return;
  }
  *place = static_cast<std::uint32_t>(links_.size());
  links_.push_back({term, none});
}

Adjoints::Term Adjoints::take(std::uint32_t node) {
  const Link& link = links_[first_[node]];
  if (link.next == none) return link.term;
  joining_.clear();
  for (std::uint32_t at = first_[node]; at != none; at = links_[at].next) joining_.push_back(links_[at].term);
  return join(joining_);
}

// Deepest branches first: the two branches of one choice make an unguarded select; a term inside the guard of another
// one is added to it; what then remains holds where any of the guards does.
Adjoints::Term Adjoints::join(std::vector<Term>& terms) {
  while (terms.size() > 1) {
    std::stable_sort(terms.begin(), terms.end(), [this](const Term& a, const Term& b) {
      return branches_[a.guard].depth < branches_[b.guard].depth;
    });
    if (!join_branches(terms) && !lift_to_outer(terms)) return unite(terms);
  }
  return terms.front();
}

void Adjoints::add_to(Graph& graph, std::vector<Term>& terms, Term term) {
  for (Term& present : terms) {
    if (present.guard != term.guard) continue;
    present.value = graph.add(present.value, term.value);
    return;
  }
  terms.push_back(term);
}

bool Adjoints::join_branches(std::vector<Term>& terms) {
  for (std::size_t i = terms.size(); i-- > 1;) {
    const Branch& one = branches_[terms[i].guard];
    for (std::size_t j = i; j-- > 0 && branches_[terms[j].guard].depth == one.depth;) {
      const Branch& other = branches_[terms[j].guard];
      if (one.outer != other.outer || one.condition != other.condition) continue;
      Term yes = terms[i], no = terms[j];
      if (!one.holds) std::swap(yes, no);
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(i));
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(j));
      add_to(graph_, terms, {graph_.select(one.condition, yes.value, no.value), one.outer});
      return true;
    }
  }
  return false;
}

bool Adjoints::lift_to_outer(std::vector<Term>& terms) {
  for (std::size_t i = terms.size(); i-- > 1;) {
    for (std::size_t j = i; j-- > 0;) {
      if (!contains(terms[j].guard, terms[i].guard)) continue;
      terms[j].value = graph_.add(terms[j].value, relative_to(terms[j].guard, terms[i]));
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
  }
  return false;
}

Adjoints::Term Adjoints::unite(const std::vector<Term>& terms) {
  Guard outer = terms.front().guard;
  for (const Term& term : terms) outer = common(outer, term.guard);
  Expr sum{}, any{};
  for (const Term& term : terms) {
    sum = graph_.add(sum, relative_to(outer, term));
    any = graph_.apply(Op::logical_or, any, condition_within(outer, term.guard));
  }
  return {sum, graph_.is_constant(any) ? outer : inside(outer, any, true)};
}

bool Adjoints::contains(Guard outer, Guard inner) const {
  while (branches_[inner].depth > branches_[outer].depth) inner = branches_[inner].outer;
  return inner == outer;
}

Adjoints::Guard Adjoints::common(Guard a, Guard b) const {
  while (a != b) {
    if (branches_[a].depth < branches_[b].depth) std::swap(a, b);
    a = branches_[a].outer;
  }
  return a;
}

Expr Adjoints::condition_within(Guard outer, Guard inner) {
  Expr all = graph_.constant(1.0);
  for (; inner != outer; inner = branches_[inner].outer) {
    const Branch& branch = branches_[inner];
    all = graph_.apply(Op::logical_and, all,
                       branch.holds ? branch.condition : graph_.apply(Op::logical_not, branch.condition));
  }
  return all;
}

Expr Adjoints::relative_to(Guard outer, Term term) {
  for (Guard guard = term.guard; guard != outer; guard = branches_[guard].outer) {
    const Branch& branch = branches_[guard];
    term.value = branch.holds ? graph_.select(branch.condition, term.value, {})
                              : graph_.select(branch.condition, {}, term.value);
  }
  return term.value;
}

}  // namespace driftless
