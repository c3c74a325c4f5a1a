"""Numbers for traced formulas: what a function was recorded as, against what it returns."""
from __future__ import annotations

import numpy as np

from .derivative import _in_order

_RULES = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": np.power, "atan2": np.arctan2, "min": np.minimum, "max": np.maximum,
          "neg": np.negative, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "<": np.less, "<=": np.less_equal, ">": np.greater,
          ">=": np.greater_equal, "and": np.logical_and, "or": np.logical_or, "not": np.logical_not}


def evaluate(nodes, values):
    """The numbers that formulas have where the symbols have these `values` (by name)."""
    found: dict = {}
    with np.errstate(all="ignore"):
        for node in nodes:
            for part in _in_order(node):
                if id(part) not in found:
                    found[id(part)] = _value(part, found, values)
    return np.array([float(found[id(node)]) for node in nodes])


def _value(node, found, values):
    if node.op == "name":
        return np.float64(values[node.args[0]])
    if node.op == "number":
        return np.float64(node.args[0])
    args = [found[id(arg)] for arg in node.args]
    if node.op == "if":
        return args[1] if args[0] else args[2]
    rule = _RULES.get(node.op) or getattr(np, node.op)
    return rule(*args)
