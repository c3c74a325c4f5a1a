"""Symbolic scalars that Python functions are called with once, so that their formulas can be compiled.

They live in numpy object arrays: arithmetic, np.sin ... np.arctan2, @, np.dot, np.cross, np.sum, np.linalg.norm,
np.hstack and indexing work. A branch on a traced value does not: use `where`."""
from __future__ import annotations

import math
import numbers
import threading

import numpy as np

from ._core import Misuse

__all__ = ["TraceError", "where"]


class TraceError(TypeError):
    """A function did something that cannot be recorded as a formula; the message says what to write instead."""


_UNARY = {"sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
          "exp": "exp", "log": "log", "log10": "log10", "sqrt": "sqrt", "abs": "abs", "sign": "sign", "floor": "floor", "ceil": "ceil", "neg": "neg"}
_PRECISE = {"sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan, "sinh": math.sinh, "cosh": math.cosh,
            "tanh": math.tanh, "exp": math.exp, "log": math.log, "log10": math.log10, "sqrt": math.sqrt, "abs": abs, "floor": math.floor, "ceil": math.ceil,
            "neg": lambda x: -x, "sign": lambda x: float(x > 0) - float(x < 0)}


def _number(value):
    """The float that a plain number is, or None."""
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    if isinstance(value, numbers.Real):
        return float(value)
    return None


class Sym:
    """One node of a formula. Equal nodes are one object, so that what is computed twice is written once."""

    __slots__ = ("op", "args", "__weakref__")
    __array_priority__ = 1000

    def __init__(self, op, args):
        self.op, self.args = op, args

    # Arithmetic ------------------------------------------------------------------------------------------------
    def __add__(self, other): return _binary("+", self, other)
    def __radd__(self, other): return _binary("+", other, self)
    def __sub__(self, other): return _binary("-", self, other)
    def __rsub__(self, other): return _binary("-", other, self)
    def __mul__(self, other): return _binary("*", self, other)
    def __rmul__(self, other): return _binary("*", other, self)
    def __truediv__(self, other): return _binary("/", self, other)
    def __rtruediv__(self, other): return _binary("/", other, self)
    def __pow__(self, other): return _binary("^", self, other)
    def __rpow__(self, other): return _binary("^", other, self)
    def __neg__(self): return _unary("neg", self)
    def __pos__(self): return self
    def __abs__(self): return _unary("abs", self)
    def __lt__(self, other): return _compare("<", self, other)
    def __le__(self, other): return _compare("<=", self, other)
    def __gt__(self, other): return _compare(">", self, other)
    def __ge__(self, other): return _compare(">=", self, other)
    def __and__(self, other): return _logic("and", self, other)
    def __rand__(self, other): return _logic("and", other, self)
    def __or__(self, other): return _logic("or", self, other)
    def __ror__(self, other): return _logic("or", other, self)
    def __invert__(self): return _intern("not", (_condition(self),))

    # What numpy calls for elements of object arrays --------------------------------------------------------------
    def conjugate(self): return self
    conj = conjugate
    real = property(lambda self: self)
    def square(self): return self * self
    def reciprocal(self): return 1.0 / self
    def fabs(self): return abs(self)
    def degrees(self): return self * (180.0 / math.pi)
    def radians(self): return self * (math.pi / 180.0)
    def arctan2(self, other): return _binary("atan2", self, other)
    def hypot(self, other): return (self * self + other * other).sqrt()
    def log2(self): return self.log() / math.log(2.0)
    def log1p(self): return (1.0 + self).log()
    def expm1(self): return self.exp() - 1.0

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if method != "__call__" or options.get("out") is not None:
            return NotImplemented
        if ufunc in (np.maximum, np.fmax):
            return _lifted("max", *inputs)
        if ufunc in (np.minimum, np.fmin):
            return _lifted("min", *inputs)
        if any(isinstance(value, np.ndarray) and value.ndim > 0 for value in inputs):
            return getattr(ufunc, method)(*[_boxed(value) for value in inputs], **options)
        return _plain_ufunc(ufunc, inputs)

    def __mod__(self, other):
        raise TraceError("a % b cannot be traced; write a - b * np.floor(a / b)")

    __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __mod__

    # What would throw the formula away ---------------------------------------------------------------------------
    def __bool__(self):
        raise TraceError("a branch on a traced value: `if x > 0` is decided once, when the function is recorded. "
                         "Write driftless.where(x > 0, a, b) instead")

    def __eq__(self, other):
        raise TraceError("a traced value is not equal to anything yet: compare by <, <=, >, >=")

    __ne__ = __eq__
    __hash__ = object.__hash__

    def __float__(self):
        raise TraceError("a traced value is not a number yet: it was put into an array of floats, or given to a function of `math`. "
                         "Make arrays by np.array([a, b]) or np.zeros(n, dtype=object), and call np.sin instead of math.sin")

    __int__ = __index__ = __complex__ = __float__

    def __repr__(self):
        return self.args[0] if self.op == "name" else f"<{self.op} of a traced function>"


def _method(op):
    return lambda self: _unary(op, self)


for _name, _op in _UNARY.items():
    if _name not in ("abs", "neg"):
        setattr(Sym, _name, _method(_op))


class SymArray(np.ndarray):
    """An array of symbols: comparisons of its elements stay formulas, too."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        plain = [value.view(np.ndarray) if isinstance(value, SymArray) else value for value in inputs]
        if options.get("out") is not None:
            options["out"] = tuple(value.view(np.ndarray) if isinstance(value, SymArray) else value for value in options["out"])
        if method == "__call__" and ufunc in _TWO_COMPARE:
            options["dtype"] = object
        if method == "__call__" and ufunc in (np.maximum, np.fmax, np.minimum, np.fmin):
            found = _lifted("max" if ufunc in (np.maximum, np.fmax) else "min", *plain)
        else:
            found = getattr(ufunc, method)(*plain, **options)
        return found.view(SymArray) if isinstance(found, np.ndarray) and found.dtype == object else found


def _boxed(value):
    if not isinstance(value, Sym):
        return value
    box = np.empty((), dtype=object)
    box[()] = value
    return box


_TWO = {np.add: "+", np.subtract: "-", np.multiply: "*", np.divide: "/", np.power: "^", np.float_power: "^", np.arctan2: "atan2"}
_TWO_COMPARE = {np.less: "<", np.less_equal: "<=", np.greater: ">", np.greater_equal: ">="}


def _plain_ufunc(ufunc, inputs):
    inputs = [value[()] if isinstance(value, np.ndarray) else value for value in inputs]
    if ufunc in _TWO:
        return _binary(_TWO[ufunc], *inputs)
    if ufunc in _TWO_COMPARE:
        return _compare(_TWO_COMPARE[ufunc], *inputs)
    method = getattr(inputs[0], {"absolute": "__abs__", "negative": "__neg__", "positive": "__pos__"}.get(ufunc.__name__, ufunc.__name__), None)
    if method is None or not isinstance(inputs[0], Sym):
        raise TraceError(f"np.{ufunc.__name__} cannot be traced; write it with arithmetic and elementary functions")
    return method(*inputs[1:])


def _lifted(op, a, b):
    pair = np.broadcast(np.asarray(a, dtype=object), np.asarray(b, dtype=object))
    flat = [_binary(op, x, y) for x, y in pair]
    return flat[0] if pair.ndim == 0 else np.array(flat, dtype=object).reshape(pair.shape)


class _Nodes(threading.local):
    """Those that were made so far, so that equal ones are one object; each thread records for itself."""

    def __init__(self):
        self.known: dict = {}


_nodes = _Nodes()


def forget():
    """Nodes of functions that were recorded before are not shared with those to come."""
    _nodes.known = {}


def _intern(op, args):
    key = (op, *(arg if not isinstance(arg, Sym) else id(arg) for arg in args))
    known = _nodes.known
    found = known.get(key)
    if found is None:
        found = known[key] = Sym(op, args)
    return found


def symbol(name):
    """A value that is given when the formula is computed: a variable or a parameter."""
    return _intern("name", (name,))


def constant(value):
    return _intern("number", (float(value),))


def _as_sym(value):
    if isinstance(value, Sym):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _as_sym(value[()])
    number = _number(value)
    if number is None:
        raise TraceError(f"{value!r} is not a number")
    return constant(number)


def value_of(node):
    """The number that a node is, or None."""
    return node.args[0] if node.op == "number" else None


def _unary(op, a):
    number = value_of(a)
    if number is not None:
        return constant(_PRECISE[op](number))
    if op == "neg" and a.op == "neg":
        return a.args[0]
    return _intern(op, (a,))


def _binary(op, a, b):
    if isinstance(a, np.ndarray) and a.ndim or isinstance(b, np.ndarray) and b.ndim:
        return NotImplemented
    if not all(isinstance(value, (Sym, np.ndarray)) or _number(value) is not None for value in (a, b)):
        return NotImplemented
    a, b = _as_sym(a), _as_sym(b)
    x, y = value_of(a), value_of(b)
    if x is not None and y is not None:
        with np.errstate(all="ignore"):
            return constant(_folded(op, np.float64(x), np.float64(y)))
    return _simplified(op, a, b, x, y)


def _folded(op, x, y):
    return {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": np.power, "atan2": np.arctan2, "min": np.minimum, "max": np.maximum}[op](x, y)


def _simplified(op, a, b, x, y):
    """x and y: the numbers that a and b are, or None."""
    if op == "+":
        if x == 0.0: return b
        if y == 0.0: return a
    elif op == "-":
        if y == 0.0: return a
        if x == 0.0: return _unary("neg", b)
    elif op == "*":
        if x == 0.0 or y == 0.0: return constant(0.0)
        if x == 1.0: return b
        if y == 1.0: return a
    elif op == "/":
        if y == 1.0: return a
        if x == 0.0: return constant(0.0)
    elif op == "^":
        if y == 1.0: return a
        if y == 0.0: return constant(1.0)
        if y == 2.0: return _intern("*", (a, a))
    return _intern(op, (a, b))


def _compare(op, a, b):
    if isinstance(a, np.ndarray) and a.ndim or isinstance(b, np.ndarray) and b.ndim:
        return NotImplemented
    return _intern(op, (_as_sym(a), _as_sym(b)))


CONDITIONS = ("<", "<=", ">", ">=", "and", "or", "not")


def _condition(value):
    if isinstance(value, Sym):
        if value.op in CONDITIONS:
            return value
        raise TraceError("a condition is a comparison of values, such as x > 0")
    if isinstance(value, (bool, np.bool_)):
        return constant(1.0) > 0.0 if value else constant(0.0) > 0.0
    raise TraceError(f"{value!r} is not a condition")


def _logic(op, a, b):
    return _intern(op, (_condition(a), _condition(b)))


def where(condition, a, b):
    """a where the condition holds, b elsewhere: np.where for traced functions, which it is for numbers.

    The moment at which the condition changes is located: the steps end there, so that a kink costs no accuracy."""
    if not any(_is_traced(value) for value in (condition, a, b)):
        return np.where(condition, a, b)
    triple = np.broadcast(*(np.asarray(value, dtype=object) for value in (condition, a, b)))
    flat = [_chosen(*three) for three in triple]
    return flat[0] if triple.ndim == 0 else np.array(flat, dtype=object).reshape(triple.shape)


def _is_traced(value):
    return isinstance(value, Sym) or isinstance(value, np.ndarray) and value.dtype == object


def _chosen(condition, a, b):
    if not isinstance(condition, Sym):
        return a if condition else b
    return _intern("if", (_condition(condition), _as_sym(a), _as_sym(b)))


def as_nodes(value, shape, what):
    """What a function returned, as nodes of this shape; None: one dimension, as many as there are."""
    if value is None:
        raise TraceError(f"{what} returned None; is a `return` missing?")
    try:
        array = np.array(value, dtype=object)
    except ValueError as error:
        raise TraceError(f"{what} returned something that is no array: {error}") from None
    if shape is None:
        array = np.atleast_1d(array)
        shape = (array.size,)
    if array.shape != shape and array.size == math.prod(shape) and array.squeeze().shape == tuple(n for n in shape if n != 1):
        array = array.reshape(shape)
    if array.shape != shape:
        raise Misuse(f"{what} must return an array of shape {shape}; it returned one of shape {array.shape}")
    nodes = np.empty(shape, dtype=object)
    for place, entry in np.ndenumerate(array):
        node = _as_sym(entry)
        if node.op in CONDITIONS:
            raise TraceError(f"{what} returned a condition where a number is needed")
        number = value_of(node)
        if number is not None and not math.isfinite(number):
            raise Misuse(f"{what} returned {number}")
        nodes[place] = node
    return nodes
