// Derivatives of one expression with respect to its subexpressions, while they are collected backwards.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

// What is added up inside one branch of a choice counts only where that branch is in use. Multiplying by 0 elsewhere is
// not enough, as 0 * NaN is NaN; so each adjoint carries its guard, and a select is made only where guards meet.
class Adjoints {
 public:
  using Guard = std::uint32_t;
  static constexpr Guard always = 0;
  struct Term {
    Expr value;
    Guard guard = always;
  };

  Adjoints(Graph& graph, std::size_t nodes);
  std::uint32_t one_more_node();

  // Where `condition` holds (or not), inside of `outer`.
  Guard inside(Guard outer, Expr condition, bool holds);

  void add(std::uint32_t node, Term term);
  bool has(std::uint32_t node) const { return first_[node] != none; }
  // The sum of all that was added to the node, as one term.
  Term take(std::uint32_t node);
  // The value, or 0 where the guard does not hold.
  Expr value_everywhere(Term term);

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Branch {
    Guard outer;
    Expr condition;
    bool holds;
    std::uint32_t depth;
    Expr path;  // whether this branch and all around it are in use
  };
  struct Link {
    Term term;
    std::uint32_t next;
  };
  // A term that counts only where `active` holds inside of its guard; elsewhere its value may be anything.
  struct PartialTerm {
    Expr value;
    Guard guard;
    Expr active;
  };

  Expr as_condition(const Branch& branch);
  Term join(std::vector<PartialTerm>& terms);
  bool is_shallower(const PartialTerm& a, const PartialTerm& b) const;
  PartialTerm sum(const PartialTerm& a, const PartialTerm& b);
  PartialTerm outside(const PartialTerm& term);
  PartialTerm outside(const PartialTerm& a, const PartialTerm& b);

  Graph& graph_;
  std::vector<std::uint32_t> first_;
  std::vector<Link> links_;
  std::vector<Branch> branches_;
  std::map<std::pair<Guard, std::uint32_t>, Guard> yes_branches_;  // the no branch is the next one
  std::vector<PartialTerm> joining_;
};

}  // namespace driftless
