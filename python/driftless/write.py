"""Traced formulas as the text of a model, in the language that the solver reads."""
from __future__ import annotations

from collections import Counter

from .derivative import _in_order
from .trace import CONDITIONS, Sym, value_of

_PRECEDENCE = {"or": 1, "and": 2, "not": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "neg": 5, "*": 6, "/": 6, "^": 7}
_LONGEST = 2000  # characters of one formula; what is longer gets a variable of its own
HIDDEN = "_dl_"  # names that begin so are nobody's results
AUXILIARY = HIDDEN + "w"


class Writer:
    """Formulas that share parts. Each part that occurs more than once becomes a variable."""

    def __init__(self):
        self.declarations, self.equations = [], []
        self._names, self._texts, self._uses, self._seen = {}, {}, Counter(), set()
        self._spreads = {}
        self._kept = []  # nodes, so that their ids stay what they are

    def count(self, nodes):
        """To be called with all formulas before the first is written."""
        for node in nodes:
            self._kept.append(node)
            self._uses[id(node)] += 1
            for part in self._unseen(node):
                for child in part.args:
                    if isinstance(child, Sym):
                        self._uses[id(child)] += 1

    def _unseen(self, root):
        stack = [root]
        while stack:
            node = stack.pop()
            if id(node) in self._seen:
                continue
            self._seen.add(id(node))
            yield node
            stack.extend(child for child in node.args if isinstance(child, Sym))

    def text(self, node):
        for part in _in_order(node):
            if id(part) not in self._texts:
                self._texts[id(part)] = self._settled(part)
        return self._texts[id(node)][0]

    def constraint(self, node):
        """The text of a constraint. Sums and products stay whole: a part of its own that enters linearly would be computed from the
        constraint, and the constraint would no longer be the one whose derivative acts in the equations of motion."""
        return self._spread(node, 0)[0]

    def _spread(self, node, depth):
        if id(node) not in self._spreads:
            if node.op in ("+", "-", "*", "/") and depth < 200:
                own = _PRECEDENCE[node.op]
                left, right = (self._spread(child, depth + 1) for child in node.args)
                found = f"{_enclosed(left, own)} {node.op} {_enclosed(right, own + 1)}", own
            elif node.op == "neg" and depth < 200:
                found = f"-{_enclosed(self._spread(node.args[0], depth + 1), 6)}", 5
            else:
                for child in node.args:
                    if isinstance(child, Sym):
                        self.text(child)
                found = self._written(node)
            if len(found[0]) > _LONGEST:
                self.text(node)
                found = self._texts[id(node)]
            self._spreads[id(node)] = found
        return self._spreads[id(node)]

    def _settled(self, node):
        """(text, precedence), by a name of its own where that pays."""
        text, precedence = self._written(node)
        plain = node.op in ("name", "number") or node.op in CONDITIONS
        if plain or (self._uses[id(node)] < 2 and len(text) <= _LONGEST):
            return text, precedence
        name = f"{AUXILIARY}{len(self.declarations)}"
        self.declarations.append(f"Real {name};")
        self.equations.append(f"{name} = {text};")
        return name, 9

    def _inside(self, node, least):
        text, precedence = self._texts[id(node)]
        return text if precedence >= least else f"({text})"

    def _written(self, node):
        op, args = node.op, node.args
        if op == "name":
            return args[0], 9
        if op == "number":
            return (repr(args[0]), 9) if args[0] >= 0.0 else (f"({args[0]!r})", 9)
        if op == "neg":
            return f"-{self._inside(args[0], 6)}", 5
        if op == "not":
            return f"not {self._inside(args[0], 4)}", 3
        if op == "if":
            condition, yes, no = (self._texts[id(arg)][0] for arg in args)
            return f"(if {condition} then {yes} else {no})", 9
        if op in _PRECEDENCE:
            own = _PRECEDENCE[op]
            left = self._inside(args[0], own + 1 if op in ("^", "<", "<=", ">", ">=") else own)
            return f"{left} {op} {self._inside(args[1], own + 1)}", own
        return f"{op}({', '.join(self._texts[id(arg)][0] for arg in args)})", 9


def _enclosed(part, least):
    text, precedence = part
    return text if precedence >= least else f"({text})"


def inertia(writer, m, i, names):
    """Row i of M der(x); without a matrix, of the identity."""
    if m is None:
        return f"der({quoted(names[i])})"
    terms = [f"({writer.text(m[i, j])}) * der({quoted(name)})" for j, name in enumerate(names) if value_of(m[i, j]) != 0.0]
    return " + ".join(terms) or "0"


def model_text(name, declarations, equations, writer):
    lines = [f"model {name}"]
    lines += [f"  {line}" for line in declarations + writer.declarations]
    lines.append("equation")
    lines += [f"  {line}" for line in writer.equations + equations]
    lines.append(f"end {name};")
    return "\n".join(lines) + "\n"


def quoted(name):
    """A name as the language writes it, whatever it is."""
    text = str(name)
    plain = text.isidentifier() and text.isascii() and text not in _WORDS
    return text if plain else "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_WORDS = frozenset("""algorithm and annotation assert block break class connect connector constant constrainedby der discrete each else elseif elsewhen
encapsulated end enumeration equation expandable extends external false final flow for function if import impure in initial inner input loop model
not operator or outer output package parameter partial protected public pure record redeclare replaceable return stream then true type when while
within time
Real Integer Boolean String pre edge change reinit sample initial terminal noEvent smooth homotopy delay semiLinear terminate abs sign sqrt div mod rem
ceil floor integer sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 min max sum product size fill zeros ones cross transpose identity
diagonal scalar vector matrix cat linspace spatialDistribution getInstanceName cardinality actualStream inStream Clock previous hold""".split())
