#include "driftless/modelfile/structure/linear_row.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "driftless/core/stop.h"
#include "driftless/expression/subgraph.h"

namespace driftless {

namespace {

constexpr double cancelled_share = 1e-14;

// None if more than `longest` nodes would have to be opened.
std::optional<LinearRow> linear_row(const Graph& graph, Expr e, std::size_t longest);

enum class Sign { unknown, not_negative, positive, negative };

Sign product_sign(Sign a, Sign b) {
  if (a == Sign::unknown || b == Sign::unknown) return Sign::unknown;
  if (a == Sign::negative && b == Sign::negative) return Sign::positive;
  if (a == Sign::negative || b == Sign::negative)
    return a == Sign::positive || b == Sign::positive ? Sign::negative : Sign::unknown;
  return a == Sign::positive && b == Sign::positive ? Sign::positive : Sign::not_negative;
}

Sign sum_sign(Sign a, Sign b) {
  if (a == Sign::negative && b == Sign::negative) return a;
  const auto good = [](Sign s) { return s == Sign::positive || s == Sign::not_negative; };
  if (!good(a) || !good(b)) return Sign::unknown;
  return a == Sign::positive || b == Sign::positive ? Sign::positive : Sign::not_negative;
}

Sign opposite(Sign s) {
  if (s == Sign::positive) return Sign::negative;
  return s == Sign::negative ? Sign::positive : Sign::unknown;
}

Sign sign_of_constant(Number value) {
  if (value > 0.0) return Sign::positive;
  return value < 0.0 ? Sign::negative : value == 0.0 ? Sign::not_negative : Sign::unknown;
}

}  // namespace

Number LinearRow::factor_of(Expr node) const {
  const auto found = std::ranges::lower_bound(terms, node.id, {}, [](const Term& term) { return term.node.id; });
  return found != terms.end() && found->node == node ? found->factor : 0.0;
}

LinearRow linear_row(const Graph& graph, Expr e) {
  return *linear_row(graph, e, std::numeric_limits<std::size_t>::max());
}

Expr without_cancellation(Graph& graph, Expr e) {
  constexpr std::size_t longest = 100;
  const auto row = linear_row(graph, e, longest);
  return row && row->cancelled ? to_expr(graph, *row) : e;
}

namespace {

struct SummedFactor {
  Number value = 0.0, size = 0.0;
  void add(Number x) {
    value += x;
    size += abs(x);
  }
};

// Nodes with factors, the largest id first; factors of one node are added in the order in which they came.
class OpenTerms {
 public:
  void add(Expr node, Number factor) {
    heap_.push_back({node.id, count_++, factor});
    std::push_heap(heap_.begin(), heap_.end());
  }
  bool empty() const { return heap_.empty(); }

  struct Term {
    Expr node;
    SummedFactor sum;
  };
  Term take() {
    Term term{{heap_.front().id}, {}};
    do {
      term.sum.add(heap_.front().factor);
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    } while (!heap_.empty() && heap_.front().id == term.node.id);
    return term;
  }

 private:
  struct Entry {
    std::uint32_t id, order;
    Number factor;
    friend bool operator<(const Entry& a, const Entry& b) { return a.id != b.id ? a.id < b.id : a.order > b.order; }
  };
  std::vector<Entry> heap_;
  std::uint32_t count_ = 0;
};

std::optional<LinearRow> linear_row(const Graph& graph, Expr e, std::size_t longest) {
  // Parents have larger ids than children: taking the largest first, every sum is opened once with its whole factor.
  OpenTerms open;
  open.add(e, 1.0);
  LinearRow row;
  SummedFactor constant;
  for (std::size_t opened = 0; !open.empty(); ++opened) {
    if (opened % 4096 == 4095) check_stop();
    if (opened > longest) return std::nullopt;
    const OpenTerms::Term term = open.take();
    const Expr node = term.node;
    const SummedFactor& sum = term.sum;
    if (abs(sum.value) <= cancelled_share * sum.size) {
      row.cancelled |= sum.size != 0.0;
      continue;
    }
    const Number factor = sum.value;
    const auto child = [&](int k) { return graph.child(node, k); };
    switch (graph.op(node)) {
      case Op::constant: constant.add(factor * graph.number(node)); continue;
      case Op::negate: open.add(child(0), -factor); continue;
      case Op::add:
        open.add(child(0), factor);
        open.add(child(1), factor);
        continue;
      case Op::subtract:
        open.add(child(0), factor);
        open.add(child(1), -factor);
        continue;
      case Op::multiply:
        if (graph.is_constant(child(0))) {
          open.add(child(1), factor * graph.number(child(0)));
          continue;
        }
        break;
      case Op::divide:
        if (graph.is_constant(child(1))) {
          open.add(child(0), factor / graph.number(child(1)));
          continue;
        }
        break;
      default: break;
    }
    row.terms.push_back({node, factor});
  }
  std::ranges::reverse(row.terms);
  const bool vanishes = abs(constant.value) <= cancelled_share * constant.size;
  row.constant = vanishes ? 0.0 : constant.value;
  row.cancelled |= vanishes && constant.value != 0.0;
  return row;
}

}  // namespace

Expr to_expr(Graph& graph, const LinearRow& row) {
  Expr positive{}, negative{};
  for (const auto& [node, factor] : row.terms) {
    const bool minus = !factor.depends() && !(factor > 0.0);
    Expr& sum = minus ? negative : positive;
    sum = graph.add(sum, graph.multiply(graph.constant(minus ? -factor : factor), node));
  }
  const Expr whole = graph.subtract(positive, negative);
  return row.constant.is_plainly(0.0) ? whole : graph.add(whole, graph.constant(row.constant));
}

LinearRow add(const LinearRow& row, Number factor, const LinearRow& other) {
  LinearRow sum;
  sum.terms.reserve(row.terms.size() + other.terms.size());
  auto a = row.terms.begin();
  auto b = other.terms.begin();
  while (a != row.terms.end() || b != other.terms.end()) {
    if (b == other.terms.end() || (a != row.terms.end() && a->node.id < b->node.id)) {
      sum.terms.push_back(*a++);
    } else if (a == row.terms.end() || b->node.id < a->node.id) {
      sum.terms.push_back({b->node, factor * b->factor});
      ++b;
    } else {
      const Number both = a->factor + factor * b->factor;
      if (abs(both) > cancelled_share * abs(a->factor)) sum.terms.push_back({a->node, both});
      ++a, ++b;
    }
  }
  const Number constant = row.constant + factor * other.constant;
  sum.constant = abs(constant) > cancelled_share * abs(row.constant) ? constant : 0.0;
  return sum;
}

LinearRow scale(LinearRow row, Number factor) {
  for (auto& term : row.terms) term.factor *= factor;
  row.constant *= factor;
  return row;
}

LinearRow without(LinearRow row, Expr node) {
  std::erase_if(row.terms, [&](const LinearRow::Term& term) { return term.node == node; });
  return row;
}

Dependence dependence(const Graph& graph, Expr e, std::span<const char> is_variable) {
  const Subgraph nodes(graph, std::span(&e, 1));
  std::vector<Dependence> of(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Expr node = nodes[k].node;
    const auto child = [&](int i) { return of[nodes[k].child[i]]; };
    const auto larger = [](Dependence a, Dependence b) { return a > b ? a : b; };
    switch (const Op op = graph.op(node)) {
      case Op::constant: break;
      case Op::input:
        if (graph.slot(node) < is_variable.size() && is_variable[graph.slot(node)]) of[k] = Dependence::affine;
        break;
      case Op::negate: of[k] = child(0); break;
      case Op::add:
      case Op::subtract: of[k] = larger(child(0), child(1)); break;
      case Op::multiply:
        of[k] = child(0) == Dependence::none || child(1) == Dependence::none ? larger(child(0), child(1))
                                                                             : Dependence::nonlinear;
        break;
      case Op::divide: of[k] = child(1) == Dependence::none ? child(0) : Dependence::nonlinear; break;
      case Op::select: of[k] = child(0) == Dependence::none ? larger(child(1), child(2)) : Dependence::nonlinear; break;
      default:
        for (int i = 0; i < arity(op); ++i)
          if (child(i) != Dependence::none) of[k] = Dependence::nonlinear;
    }
  }
  return of[nodes.root(0)];
}

namespace {

// What is known of a value: its sign, and between what its absolute value is.
struct Known {
  Sign sign = Sign::unknown;
  Number least = 0.0, most = std::numeric_limits<double>::infinity();
};

bool has_sign(const Known& a) { return a.sign == Sign::positive || a.sign == Sign::negative; }

// 2 + 0.3 sin(x): a part of known sign may be larger than all that the other can take away.
Known sum_of(const Known& a, const Known& b) {
  Known sum{sum_sign(a.sign, b.sign), 0.0, a.most + b.most};
  if (has_sign(a) && a.sign == b.sign) sum.least = a.least + b.least;
  if (has_sign(sum) && a.sign == b.sign) return sum;
  for (const auto& [large, other] : {std::pair{a, b}, std::pair{b, a}}) {
    if (!has_sign(large) || !isfinite(other.most) || !(large.least > other.most)) continue;
    sum.sign = large.sign;
    sum.least = large.least - other.most;
    break;
  }
  return sum;
}

Known product_of(const Known& a, const Known& b) {
  const bool bounded = isfinite(a.most) && isfinite(b.most);
  return {product_sign(a.sign, b.sign), a.least * b.least, bounded ? a.most * b.most : Known{}.most};
}

Known known_of_constant(Number value) {
  const Sign sign = sign_of_constant(value);
  return sign == Sign::unknown ? Known{} : Known{sign, abs(value), abs(value)};
}

Known opposite(Known a) {
  a.sign = opposite(a.sign);
  return a;
}

}  // namespace

bool certainly_not_zero(const Graph& graph, Expr e) {
  const Subgraph nodes(graph, std::span(&e, 1));
  std::vector<Known> of(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Expr node = nodes[k].node;
    const auto child = [&](int i) { return of[nodes[k].child[i]]; };
    switch (graph.op(node)) {
      case Op::constant: of[k] = known_of_constant(graph.number(node)); break;
      case Op::sin:
      case Op::cos:
      case Op::tanh: of[k].most = 1.0; break;
      case Op::exp: of[k].sign = Sign::positive; break;
      case Op::cosh: of[k] = {.sign = Sign::positive, .least = 1.0}; break;
      case Op::abs:
        of[k] = child(0);
        of[k].sign = has_sign(child(0)) ? Sign::positive : Sign::not_negative;
        break;
      case Op::sqrt: of[k].sign = child(0).sign == Sign::positive ? Sign::positive : Sign::not_negative; break;
      case Op::negate: of[k] = opposite(child(0)); break;
      case Op::add: of[k] = sum_of(child(0), child(1)); break;
      case Op::subtract: of[k] = sum_of(child(0), opposite(child(1))); break;
      case Op::multiply:
        of[k] = product_of(child(0), child(1));
        if (nodes[k].child[0] == nodes[k].child[1] && child(0).sign == Sign::unknown) of[k].sign = Sign::not_negative;
        break;
      case Op::divide:
        if (has_sign(child(1))) of[k].sign = product_sign(child(0).sign, child(1).sign);
        break;
      case Op::select:
        if (child(1).sign == child(2).sign) of[k].sign = child(1).sign;
        break;
      default: break;
    }
  }
  return has_sign(of[nodes.root(0)]);
}

}  // namespace driftless
