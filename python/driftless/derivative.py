"""Derivatives of traced formulas, for the G^T lambda that constraints bring into equations of motion."""
from __future__ import annotations

import numpy as np

from .trace import TraceError, Sym, constant, _binary, _intern

_ONE = 1.0


def _partials(node):
    """(child, derivative of the node by it), by the rules of calculus."""
    op, a = node.op, node.args[0]
    b = node.args[1] if len(node.args) > 1 else None
    if op == "+": return [(a, _ONE), (b, _ONE)]
    if op == "-": return [(a, _ONE), (b, -1.0)]
    if op == "*": return [(a, b), (b, a)]
    if op == "/": return [(a, 1.0 / b), (b, -node / b)]
    if op == "^":
        both = [(a, b * _binary("^", a, b - 1.0))]
        return both if b.op == "number" else both + [(b, node * a.log())]
    if op == "atan2":
        square = a * a + b * b
        return [(a, b / square), (b, -a / square)]
    if op in ("min", "max"):
        first = a <= b if op == "min" else a >= b
        return [(a, _intern("if", (first, constant(1.0), constant(0.0)))), (b, _intern("if", (first, constant(0.0), constant(1.0))))]
    if op == "if":
        zero = constant(0.0)
        one = constant(1.0)
        return [(b, _intern("if", (a, one, zero))), (node.args[2], _intern("if", (a, zero, one)))]
    rules = {"neg": lambda: -1.0, "sin": a.cos, "cos": lambda: -a.sin(), "tan": lambda: 1.0 + node * node, "asin": lambda: 1.0 / (1.0 - a * a).sqrt(),
             "acos": lambda: -1.0 / (1.0 - a * a).sqrt(), "atan": lambda: 1.0 / (1.0 + a * a), "sinh": a.cosh, "cosh": a.sinh,
             "tanh": lambda: 1.0 - node * node, "exp": lambda: node, "log": lambda: 1.0 / a, "log10": lambda: 1.0 / (a * 2.302585092994046),
             "sqrt": lambda: 0.5 / node, "abs": a.sign, "sign": lambda: 0.0, "floor": lambda: 0.0, "ceil": lambda: 0.0}
    if op not in rules:
        raise TraceError(f"'{op}' has no derivative")
    return [(a, rules[op]())]


def _in_order(root):
    """Nodes below a root, children first."""
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in node.args if isinstance(child, Sym))
    return order


def gradient(node, variables):
    """The derivatives of one formula by variables, by one sweep backwards."""
    share = {id(node): constant(1.0)}
    for at in reversed(_in_order(node)):
        own = share.get(id(at))
        if own is None or at.op in ("name", "number"):
            continue
        for child, factor in _partials(at):
            if child.op != "number":
                share[id(child)] = share[id(child)] + own * factor if id(child) in share else own * factor
    zero = constant(0.0)
    found = [share.get(id(variable), zero) for variable in variables]
    return [entry if isinstance(entry, Sym) else constant(entry) for entry in found]


def jacobian(nodes, variables):
    rows = np.empty((len(nodes), len(variables)), dtype=object)
    for i, node in enumerate(nodes):
        rows[i, :] = gradient(node, variables)
    return rows


def depends_on(nodes, variables):
    """Whether any formula contains any of the variables."""
    wanted = {id(variable) for variable in variables}
    return any(id(part) in wanted for node in nodes for part in _in_order(node))
