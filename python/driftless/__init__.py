"""driftless: differential-algebraic equations of index 1, 2 and 3, without drift.

>>> import driftless as dl
>>> r = dl.Model("swing.mo").solve(t_end=10, L=2.0)                           # a model file, or its text
>>> r = dl.solve(force=F, constraint=g, mass=M, q0=q0, t_span=(0, 10))        # functions of q, v, t and parameters
>>> r = dl.from_sympy(lagrange_or_kane, {m: 1.0}, {x: 1.0}).solve(t_end=10)   # sympy.physics.mechanics
>>> r = dl.solve_ivp(f, (0, 10), y0, invariants=energy)                       # SciPy's call, with what must not drift
>>> r["x"], r.q, r(3.2), r.certificate, r.moved, r.error, r.plot(), r.report("page.html")
>>> dl.analyse.attractor("problem:limit_cycle_sphere"), dl.methods()

Functions are called once, with symbols: their formulas, and all derivatives, become machine code."""
from . import analyse
from ._core import Misuse, ModelError, RunError, compilations
from .command import program
from .functions import TraceWarning
from .ivp import OdeResult, solve_ivp
from .mechanics import mechanical
from .methods import Tableau, methods
from .model import Model
from .problem import Problem, solve
from .result import Result
from .semi_explicit import semi_explicit
from .sympy_door import from_sympy
from .trace import TraceError, where

__all__ = ["Misuse", "Model", "ModelError", "OdeResult", "Problem", "Result", "RunError", "Tableau", "TraceError", "TraceWarning", "analyse", "compilations",
           "from_sympy", "mechanical", "methods", "program", "semi_explicit", "solve", "solve_ivp", "where"]
__version__ = "0.1.0"
