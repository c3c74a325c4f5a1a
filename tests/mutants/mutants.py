"""The mutants: for each a claim, the text that makes it true, the text that breaks it, and the tests that must notice.

Texts are compared as they stand; one that occurs not at all, or twice, is reported. Checks are tried in their order, so the
quickest comes first. Choose files that few others include: every mutant is compiled.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Tests:
    """Tests of one program, by gtest's filter."""

    program: str
    filter: str

    @property
    def target(self):
        return self.program

    def command(self):
        return [self.program, f"--gtest_filter={self.filter}"]

    def first_failure(self, output, code):
        found = re.search(r"^\[  FAILED  \] (\S+?),? ", output, re.MULTILINE)
        return found.group(1) if found else f"{self} (ends with {code})"

    def __str__(self):
        return f"{self.program} {self.filter}"


@dataclass(frozen=True)
class Reproduce:
    """One item of `driftless reproduce`."""

    item: str
    target = "app_driftless"

    def command(self):
        return ["driftless", "reproduce", self.item]

    def first_failure(self, output, code):
        lines = [line for line in output.splitlines() if line.rstrip().endswith("OFF")]
        return f"{self}: {len(lines)} numbers off" if lines else f"{self} (ends with {code})"

    def __str__(self):
        return f"reproduce {self.item}"


@dataclass(frozen=True)
class Python:
    """Tests of one file of the Python package."""

    file: str
    names: str = ""
    target = "driftless_python"

    def command(self):
        chosen = ["-k", self.names] if self.names else []
        return ["/usr/bin/env", "PYTHONPATH=build/release/python", "/usr/bin/python3", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider",
                f"python/tests/{self.file}", *chosen]

    def first_failure(self, output, code):
        found = re.search(r"^FAILED (\S+)", output, re.MULTILINE)
        return found.group(1) if found else f"{self} (ends with {code})"

    def __str__(self):
        return f"{self.file} {self.names}"


@dataclass(frozen=True)
class Browser:
    """One suite of the pages in a browser."""

    suite: str
    target = "app_driftless"

    def command(self):
        return ["/usr/bin/python3", "tests/browser/report_test.py", "build/release/bin/driftless", ".", self.suite]

    def first_failure(self, output, code):
        return f"{self} (ends with {code})"

    def __str__(self):
        return f"browser {self.suite}"


@dataclass(frozen=True)
class Faults:
    """One part of what goes wrong with files on purpose."""

    part: str
    target = "failing_calls"

    def command(self):
        return ["/usr/bin/python3", "tests/faults/files/run", "--only", self.part]

    def first_failure(self, output, code):
        return f"{self} (ends with {code})"

    def __str__(self):
        return f"faults {self.part}"


@dataclass(frozen=True)
class Mutant:
    name: str
    claim: str  # what is no longer true
    file: str
    old: str
    new: str
    checks: tuple


MUTANTS = [
    # Projection and multipliers
    Mutant(
        "projection-velocity",
        "velocities are projected after a step, (2.8)",
        "src/driftless/equations/manifold_mechanical.cpp",
        "  project_velocities(x.v, mu2_by_h);\n",
        "  (void)mu2_by_h;\n",
        (Reproduce("projection"),),
    ),
    Mutant(
        "projection-position",
        "positions are projected where a method is not stiffly accurate, (2.7)",
        "src/driftless/equations/manifold_mechanical.cpp",
        "  if (positions)\n    if (const auto status = project_positions",
        "  if (positions && n_ == 0)\n    if (const auto status = project_positions",
        (Reproduce("projection"),),
    ),
    Mutant(
        "projection-metric",
        "the projection is orthogonal in the metric of the mass matrix",
        "src/driftless/equations/manifold_mechanical.cpp",
        "    at_.multiply_mass(moved, d);\n",
        "    std::copy(moved.begin(), moved.end(), d.begin());\n",
        (Tests("test_unit_equations", "ProjectTest.*"), Reproduce("projection"), Reproduce("local")),
    ),
    Mutant(
        "multiplier-memory",
        "the multiplier remembers R(infinity) of the last one, (2.5)",
        "src/driftless/step/implicit_rk.cpp",
        "      for (std::size_t k = 0; k < size_; ++k) out.state[k] += d_[i] * step.memory.z(k, i);\n",
        "      for (std::size_t k = 0; k < size_; ++k)\n"
        "        out.state[k] += (k + out.mu1.size() < size_ ? d_[i] : i + 1 == stages_ ? 1.0 : 0.0) * step.memory.z(k, i);\n",
        (Reproduce("hidden"),),
    ),
    Mutant(
        "multiplier-rule",
        "fixed steps take the multiplier from the stages unless asked otherwise",
        "src/driftless/step/implicit_rk.cpp",
        "  if (method_.multiplier == MultiplierRule::hidden_constraint) {\n",
        "  if (method_.multiplier != MultiplierRule::hidden_constraint || size_ > 0) {\n",
        (Reproduce("orders"),),
    ),
    Mutant(
        "multiplier-curvature",
        "the hidden constraint has the curvature of the constraint in it, (A2)",
        "src/driftless/equations/manifold_mechanical.cpp",
        "  for (double& x : lambda) x = -x;\n  at_.solve(a, lambda);\n",
        "  for (double& x : lambda) x = -0.5 * x;\n  at_.solve(a, lambda);\n",
        (Reproduce("hidden"),),
    ),
    Mutant(
        "half-explicit-time",
        "half-explicit stages meet the constraint at the time of the next stage",
        "src/driftless/step/half_explicit_index2.cpp",
        "there = t + nodes_[i] * h, weight",
        "there = t + method_.tableau.c[i] * h, weight",
        (Reproduce("autonomous"), Tests("test_order", "Index2Order.TimeDependentWithGamma")),
    ),
    Mutant(
        "autonomous-time",
        "time as an unknown runs as fast as time, (3.17)",
        "src/driftless/equations/autonomous.cpp",
        "    original_->f(u.subspan(0, n_), lambda, u[n_], out.subspan(0, n_));\n    out[n_] = 1.0;\n",
        "    original_->f(u.subspan(0, n_), lambda, u[n_], out.subspan(0, n_));\n    out[n_] = 1.0 + 1e-9;\n",
        (Reproduce("autonomous"),),
    ),
    # Methods
    Mutant(
        "tableau-sdirk4",
        "coefficients are those of the books",
        "src/driftless/tableau/families/sdirk.cpp",
        "ratio(-137, 2720)",
        "ratio(-137, 2721)",
        (Tests("test_unit_tableau", "Properties.*:Families.*"),),
    ),
    Mutant(
        "tableau-hem5",
        "hem5 satisfies its conditions to rounding",
        "src/driftless/tableau/families/half_explicit.cpp",
        "0.32221692362160630828280",
        "0.32221692362260630828280",
        (Tests("test_unit_tableau", "Properties.*:Families.*:HalfExplicit*:Index2Order*"),),
    ),
    Mutant(
        "condition-b2",
        "methods that never damp the multiplier are refused, (B2)",
        "src/driftless/tableau/conditions.cpp",
        "  if (size < 1.0) {\n",
        "  if (size <= 1.0) {\n",
        (Tests("test_unit_tableau", "Conditions.*"),),
    ),
    Mutant(
        "index-check",
        "a singular decisive matrix is told",
        "src/driftless/equations/index_check.cpp",
        "  report.satisfied = report.rank == report.constraints;\n",
        "  report.satisfied = report.rank <= report.constraints;\n",
        (Tests("test_unit_equations", "IndexCheckTest.*"),),
    ),
    # Adaptive steps
    Mutant(
        "error-estimate",
        "the error estimate is the embedded one, not a fraction of it",
        "src/driftless/step/radau_step.cpp",
        "  for (double& value : out) value = -value;\n  equations_.solve_real(0, out);\n",
        "  for (double& value : out) value = -0.1 * value;\n  equations_.solve_real(0, out);\n",
        (Reproduce("table1"),),
    ),
    Mutant(
        "error-norm",
        "errors are weighted by absolute + relative |x|",
        "src/driftless/integrate/error_scale.cpp",
        "1.0 / (form_.tolerance.absolute_of(i) * accuracy.scale + accuracy.relative * std::abs(x[i]))",
        "1.0 / (form_.tolerance.absolute_of(i) * accuracy.scale + accuracy.relative)",
        (Reproduce("table2"),),
    ),
    Mutant(
        "counts",
        "every evaluation is counted",
        "src/driftless/integrate/statistics.h",
        "  total.evaluations += work.evaluations;\n",
        "  total.evaluations += work.evaluations - (work.evaluations > 3 ? 1 : 0);\n",
        (Tests("test_unit_integrate", "Work.*"), Reproduce("table1")),
    ),
    Mutant(
        "dense-multiplier",
        "dense output of the multiplier passes through the stages",
        "src/driftless/integrate/dense_step.cpp",
        "i + multipliers < n ? weights : through_stages",
        "i < n ? weights : through_stages",
        (Tests("test_order", "*DenseOrder*"),),
    ),
    Mutant(
        "dense-weights",
        "dense output passes through the start of the step",
        "src/driftless/step/collocation.cpp",
        "weights[j] *= tau / c[j];",
        "weights[j] *= tau * tau / (c[j] * c[j]);",
        (Tests("test_order", "*DenseOrder*"),),
    ),
    Mutant(
        "event-direction",
        "events fire in their direction only",
        "src/driftless/integrate/event_watch.cpp",
        "(direction == Direction::rising) == rising;",
        "(direction == Direction::rising) != rising;",
        (Tests("test_unit_integrate", "Events.*"),),
    ),
    Mutant(
        "event-time",
        "the time of an event is found to rounding",
        "src/driftless/integrate/event_watch.cpp",
        "    if (middle == low.t || middle == high.t) break;\n",
        "    if (i == 3 || middle == low.t || middle == high.t) break;\n",
        (Tests("test_unit_integrate", "Events.*"),),
    ),
    Mutant(
        "derivative",
        "derivatives of formulas are exact",
        "src/driftless/expression/partials.cpp",
        "    case Op::tanh: return g.subtract(one, g.multiply(node, node));",
        "    case Op::tanh: return g.subtract(one, node);",
        (Tests("test_unit_expression", "*"),),
    ),
    # Attracting sets
    Mutant(
        "hausdorff",
        "the Hausdorff distance looks in both directions",
        "src/driftless/analysis/geometric/hausdorff.cpp",
        "  return std::max(there, NearestPoints(a).separation_of(b, share, execution));\n",
        "  return there;\n",
        (Tests("test_unit_analysis", "Hausdorff.*"),),
    ),
    Mutant(
        "embedding",
        "embedded solutions come back to the constraint, Lemma 3.2",
        "src/driftless/analysis/geometric/embedding.cpp",
        "    for (double& value : rate) value = -value;\n",
        "    for (double& value : rate) value = -1.02 * value;\n",
        (Reproduce("embedding"),),
    ),
    # Norms, enclosures, bounds
    Mutant(
        "interval-rounding",
        "intervals are rounded outward",
        "src/driftless/core/interval.cpp",
        "double up(double value, double error) { return error > 0.0 ? above(value) : value; }",
        "double up(double value, double error) { return error > 1.0 ? above(value) : value; }",
        (Tests("test_unit_core", "Interval.*"),),
    ),
    Mutant(
        "enclosure-width",
        "enclosures of constants are narrow",
        "src/driftless/analysis/stability/lipschitz_constants.cpp",
        "  result.upper = found.upper;\n",
        "  result.upper = found.upper + 1e6 * std::abs(found.upper);\n",
        (Reproduce("constants"),),
    ),
    Mutant(
        "semi-inner-product",
        "left and right semi-inner products differ, (2.1)",
        "src/driftless/analysis/stability/semi_inner_product.cpp",
        "  return u.empty() ? 0.0 : side * best;\n",
        "  return u.empty() ? 0.0 : best;\n",
        (Reproduce("norms"),),
    ),
    Mutant(
        "semi-inner-zero",
        "a semi-inner product is the derivative of the norm, (2.1)",
        "src/driftless/analysis/stability/semi_inner_product.cpp",
        "  return norm(u) * dini_derivative(norm, u, v, side);\n",
        "  return 0.0 * norm(u) * dini_derivative(norm, u, v, side);\n",
        (Reproduce("norms"),),
    ),
    Mutant(
        "bound-growth",
        "error bounds shrink where the equations contract, (4.13)",
        "src/driftless/analysis/stability/discretisation_bound.cpp",
        "    const double factor = divisor > 0.0 ? 1.0 / divisor : infinity;\n",
        "    const double factor = divisor > 0.0 ? 1.0 : infinity;\n",
        (Tests("test_unit_analysis", "BoundEuler.*"),),
    ),
    Mutant(
        "bound-growth-stages",
        "error bounds of Runge-Kutta methods shrink where the equations contract, section 5",
        "src/driftless/analysis/stability/discretisation_bound.cpp",
        "const double factor = last_factor, divisor",
        "const double factor = std::max(1.0, last_factor), divisor",
        (Reproduce("errors"),),
    ),
    Mutant(
        "bound-theorem-4.4",
        "the bound of Theorem 4.4 is the one that is attained, (4.14)",
        "src/driftless/analysis/stability/discretisation_bound.cpp",
        "  return std::expm1(-count * std::log1p(-h * m.rate)) / m.rate * forcing;\n",
        "  return 3.0 * std::expm1(-count * std::log1p(-h * m.rate)) / m.rate * forcing;\n",
        (Reproduce("euler"),),
    ),
    Mutant(
        "bound-infinite",
        "error bounds are finite, (4.12)",
        "src/driftless/analysis/stability/discretisation_bound.cpp",
        "  b.q = m.slope * b.p + b.q_from_residual;\n",
        "  b.q = infinity;\n",
        (Reproduce("errors"),),
    ),
    Mutant(
        "bound-misprint",
        "Q residuals of the stages count with h, which the paper forgets after (5.10)",
        "src/driftless/analysis/stability/discretisation_bound.cpp",
        "h * p_residual_d + h * m.gain * q_residual_d",
        "h * p_residual_d + m.gain * q_residual_d",
        (Tests("test_unit_analysis", "BoundStage*:BoundRungeKutta.*"),),
    ),
    Mutant(
        "bound-any-norm",
        "norms without inner product have a smaller m_D than (5.10) says",
        "src/driftless/analysis/stability/discretisation_bound.cpp",
        "euclidean ? stage_monotonicity(tableau) : stage_monotonicity_in_any_norm(tableau)",
        "euclidean ? stage_monotonicity(tableau) : stage_monotonicity(tableau)",
        (Tests("test_unit_analysis", "BoundStage*:BoundRungeKutta.*"),),
    ),
    Mutant(
        "deviation-infinite",
        "deviation bounds are finite, (3.25)",
        "src/driftless/analysis/stability/perturbation_bound.cpp",
        "  if (std::isnan(bound.q)) bound.q = infinity;\n",
        "  bound.q = infinity;\n",
        (Reproduce("deviations"),),
    ),
    Mutant(
        "deviation-start",
        "deviations decay like exp(rate t), (3.24)",
        "src/driftless/analysis/stability/perturbation_bound.cpp",
        "  bound.p_from_differential = growth * bound.p_from_differential + added.p;\n",
        "  bound.p_from_differential = bound.p_from_differential + added.p;\n",
        (Reproduce("deviations"),),
    ),
    Mutant(
        "index-loss",
        "the time of a loss of index is found between two steps",
        "src/driftless/analysis/stability/index_loss.cpp",
        "k < 60 && high - low > 1e-13",
        "k < 6 && high - low > 1e-13",
        (Reproduce("index-loss"),),
    ),
    Mutant(
        "counts-fixed",
        "fixed steps count their factorisations",
        "src/driftless/step/implicit_rk.cpp",
        "  ++step.work.factorisations;\n",
        "",
        (Tests("test_unit_integrate", "Work.*"),),
    ),
    Mutant(
        "elimination-by-size",
        "a weak link does not take a loop of equations apart",
        "src/driftless/modelfile/structure/reduce_explicit.cpp",
        "    match_by_size();\n",
        "",
        (Tests("test_unit_modelfile", "WeakLinks.*"),),
    ),
    Mutant(
        "start-from-stated",
        "stated values are not lost on the way from a guess of others",
        "src/driftless/modelfile/start/initial_solve.cpp",
        "  if (best->moved >= met) try_from_stated(stage, values, *best);\n",
        "",
        (Tests("test_unit_modelfile", "StartTrust.StatedValuesAreMet*"),),
    ),
    Mutant(
        "start-closer",
        "a value that has to move hides no other that need not",
        "src/driftless/modelfile/start/initial_solve.cpp",
        "constexpr double closer = 0.999,",
        "constexpr double closer = 0.5,",
        (Tests("test_unit_modelfile", "StartTrust.AContradiction*"),),
    ),
    Mutant(
        "start-one-wish",
        "stated values that agree are met, where one of them alone leads",
        "src/driftless/modelfile/start/initial_solve.cpp",
        "  if (best->moved >= met) try_missed(stage, values, *best);\n",
        "",
        (Tests("test_unit_modelfile", "StartTrust.StatedValuesThatAgree*"),),
    ),
    Mutant(
        "multipliers-from-afar",
        "multipliers that enter nonlinearly are found after a jump",
        "src/driftless/integrate/consistent_start.cpp",
        "    solver.approach_multipliers(state);\n",
        "",
        (Tests("test_unit_integrate", "ConsistentStart.FindsMultipliers*"),),
    ),
    Mutant(
        "start-fixed-units",
        "fixed values that contradict an equation are refused, whatever its units",
        "src/driftless/modelfile/start/initial_search.cpp",
        "scale_[i] = largest[i] > 0.0 ? largest[i] : 1.0;",
        "scale_[i] = 1.0;",
        (Tests("test_unit_modelfile", "StartTrust.FixedValues*"),),
    ),
    Mutant(
        "redundant-index3",
        "implicit steps of index 3 leave out redundant constraints",
        "src/driftless/step/stage_index3.cpp",
        "  if (m_ > 0 && (!normal_ || !redundant_.rows.empty())) find_redundant_rows(t, x);\n",
        "",
        (Tests("test_unit_integrate", "Adaptive.RedundantConstraints*"),),
    ),
    Mutant(
        "index-watch-touch",
        "a zero that the decisive determinant touches is found",
        "src/driftless/integrate/index_watch.cpp",
        " : announced(steps_[2], begin, end);",
        " : false;",
        (Tests("test_unit_integrate", "IndexWatch.*"),),
    ),
    Mutant(
        "index-watch-first-step",
        "such a zero is found in the first step after a jump, too",
        "src/driftless/integrate/index_watch.cpp",
        "return step_count_ == 2 ? announced(begin, right_after_begin(), end) : ",
        "return step_count_ > 2 && ",
        (Tests("test_unit_integrate", "IndexWatch.FindsAZeroInTheFirst*"),),
    ),
    Mutant(
        "index-watch-off-manifold",
        "such a zero is found where there is no way to the manifold around it",
        "src/driftless/integrate/index_watch_search.cpp",
        "return manifold_->levels() > 1 ? zoom(points, interpolant) : std::nullopt;",
        "return std::nullopt;",
        (Tests("test_unit_integrate", "IndexWatch.FindsAZeroInTheFirst*"),),
    ),
    Mutant(
        "index-watch-blocks",
        "blocks of the decisive matrix are watched by themselves",
        "src/driftless/integrate/index_watch.cpp",
        "  for (const auto& part : parts_) any |= part->see(t, state, part->regularity_of_block(decisive_));\n",
        "",
        (Tests("test_cli", "SolveInFolder.SeesALoss*"),),
    ),
    Mutant(
        "between-steps",
        "states between the steps are as good as the tolerance where they are read",
        "src/driftless/integrate/radau_error.cpp",
        "if (!form_.options.between_steps) return error;",
        "if (!form_.options.between_steps || step.h != 0.0) return error;",
        (Tests("test_cli", "SolveInFolder.RowsBetween*"),),
    ),
    Mutant(
        "dense-extension",
        "an interpolant whose own stages fail is made of short steps",
        "src/driftless/integrate/explicit_dense.cpp",
        "if (!fill_by_steps(c, dense)) fill_by_ends(c, dense);",
        "fill_by_ends(c, dense);",
        (Tests("test_unit_integrate", "AdaptiveExplicit.*"),),
    ),
    # From the text to the solver
    Mutant(
        "elimination-aliases",
        "multiples with an offset are expressed by the unknown that lets no error grow",
        "src/driftless/modelfile/structure/reduce_aliases.cpp",
        "    return stable ? preferred : !preferred;\n",
        "    (void)stable;\n    return preferred;\n",
        (Tests("test_unit_modelfile", "Elimination/LinearChain.*"),),
    ),
    Mutant(
        "elimination-growth",
        "unknowns are computed from others only where errors grow at most tenfold",
        "src/driftless/modelfile/structure/elimination_growth.cpp",
        "constexpr double largest_growth = 10.0;",
        "constexpr double largest_growth = 1e300;",
        (Tests("test_unit_modelfile", "LinearRecursion.*"),),
    ),
    Mutant(
        "elimination-roots",
        "nonlinear equations are not solved the other way round",
        "src/driftless/modelfile/structure/elimination_growth.cpp",
        "    good &= bends == 0 || block.written;\n",
        "",
        (Tests("test_unit_modelfile", "NonlinearChain.*"),),
    ),
    Mutant(
        "equations-as-written",
        "results are put back into the equations, in units of the tolerance",
        "src/driftless/modelfile/compiled/equation_check.cpp",
        "const double ratio = std::abs(residuals_[e]) /",
        "const double ratio = 1e-6 * std::abs(residuals_[e]) /",
        (Tests("test_unit_modelfile", "EquationCheck.*"),),
    ),
    Mutant(
        "equations-watched",
        "a run that breaks an equation of its model does not end well",
        "src/driftless/simulate/equation_watch.cpp",
        "if (found.ratio > broken_above && !broken_)",
        "if (found.ratio < 0.0 && !broken_)",
        (Tests("test_cli", "Verify.*"),),
    ),
    Mutant(
        "function-pre-fixed",
        "in a round of a C++ model's event pre(...) is what was before the round",
        "src/driftless/simulate/function_events.cpp",
        "moment.next_ = moment.before_;",
        "moment.next_ = moment.now_;\n  moment.before_ = moment.now_;",
        (Tests("test_unit_simulate", "FunctionEvents.*"),),
    ),
    Mutant(
        "function-tick-at-start",
        "a clock of a C++ model ticks at the start, too",
        "src/driftless/simulate/function_events.cpp",
        "    fire(rounds.moment, event);\n  }",
        "  }",
        (Tests("test_unit_simulate", "FunctionEvents.*"),),
    ),
    Mutant(
        "function-resolved",
        "algebraic unknowns follow within an event of a C++ model",
        "src/driftless/simulate/function_events.cpp",
        "    rounds.unresolved |= set;\n",
        "",
        (Tests("test_unit_simulate", "FunctionEvents.*"),),
    ),
    Mutant(
        "time-search-kept",
        "what a long search for a change of a relation of time found is not searched again",
        "src/driftless/modelfile/compiled/time_events.cpp",
        "if (search.looks() > long_search)",
        "if (search.looks() > long_search * 1'000'000)",
        (Tests("test_unit_modelfile", "TimeEvents.*"),),
    ),
    Mutant(
        "time-search-read",
        "what a search found is kept only while the values that its relation reads stay",
        "src/driftless/modelfile/compiled/time_events.cpp",
        "found->second.read == read &&",
        "",
        (Tests("test_unit_modelfile", "TimeEvents.*"),),
    ),
    Mutant(
        "reinit-keeps-states",
        "states that no reinit names keep their values",
        "src/driftless/simulate/stretch_options.cpp",
        ".after_event = stretch.after_event",
        ".after_event = false && stretch.after_event",
        (Tests("test_cli", "Events.*"),),
    ),
    Mutant(
        "possible-pairs",
        "an unknown is left to the row that determines it",
        "src/driftless/modelfile/structure/reduce_explicit.cpp",
        "    if (which_ == Explicit::solvable) drop_impossible_pairs();\n",
        "",
        (Tests("test_unit_modelfile", "Elimination.*"),),
    ),
    Mutant(
        "nominal-units",
        "models of any size are the same model",
        "src/driftless/modelfile/compiled/compiled_model.cpp",
        "if (options.nominal_units) use_nominal_units(model);",
        "if (options.nominal_units) (void)model;",
        (Tests("test_unit_modelfile", "NominalUnits.*"),),
    ),
    Mutant(
        "multipliers-of-index-2",
        "multipliers of index 2 beside a stiff unknown are as good as the tolerance",
        "src/driftless/integrate/radau_form.cpp",
        "  multipliers_follow = by_constraint && !plain && !",
        "  multipliers_follow = by_constraint && !plain && index_of(equations) != 2 && !",
        (Tests("test_unit_integrate", "Multipliers.*"),),
    ),
    Mutant(
        "last-event",
        "what the event that ends a run assigns is in the results",
        "src/driftless/simulate/simulate.cpp",
        "      if (end->last) settle(stretch = *std::move(end->last));\n",
        "",
        (Tests("test_unit_simulate", "Simulate.*"),),
    ),
    Mutant(
        "start-units",
        "start values move in proportion to their size",
        "src/driftless/modelfile/start/initial_wishes.cpp",
        "return start != 0.0 && std::isfinite(start) ? std::abs(start) : 1.0;",
        "return start != 0.0 && std::isfinite(start) ? 1.0 : 1.0;",
        (Tests("test_unit_modelfile", "Start*.*"),),
    ),
    Mutant(
        "nominal-tolerance",
        "the absolute tolerance follows nominal",
        "src/driftless/simulate/stretch_options.cpp",
        "each.push_back(tolerance.absolute * nominal)",
        "each.push_back(tolerance.absolute + 0.0 * nominal)",
        (Tests("test_cli", "StartOfModels.*"),),
    ),
    Mutant(
        "certificate-units",
        "the certificate speaks of the equations as written",
        "src/driftless/integrate/certificate_keeper.cpp",
        "std::abs(residual_[i] / written_[i].scale)",
        "std::abs(residual_[i])",
        (Tests("test_unit_modelfile", "WrittenConstraints.*"),),
    ),
    Mutant(
        "self-reference",
        "no unknown is defined by a formula that contains it",
        "src/driftless/modelfile/structure/reduce_explicit.cpp",
        "if (!std::ranges::binary_search(inputs_of(graph_, other), slot)) return",
        "return",
        (Tests("test_unit_modelfile", "Elimination.*"),),
    ),
    # Files, signals and names
    Mutant(
        "files-synced",
        "a file that is not on the disk does not replace another",
        "apps/driftless/output/partial_file.cpp",
        "  if (!synced(descriptor_)) return false;\n",
        "  synced(descriptor_);\n",
        (Tests("test_cli", "ResultFiles.WhatDoesNotReachTheDisk*"),),
    ),
    Mutant(
        "files-alive",
        "partial files of a living process stay",
        "apps/driftless/output/partial_file.cpp",
        "ours && flock(descriptor, LOCK_EX | LOCK_NB) == 0",
        "ours",
        (Tests("test_cli", "ResultFiles.Leftovers*"),),
    ),
    Mutant(
        "files-mode",
        "the mode of a file is kept",
        "apps/driftless/output/partial_file.cpp",
        "old.st_mode & 0777",
        "0644",
        (Tests("test_cli", "ResultFiles.TheMode*"),),
    ),
    Mutant(
        "files-links",
        "links are followed",
        "apps/driftless/output/pending_file.cpp",
        "  target_ = without_links(path_);\n",
        "",
        (Tests("test_cli", "ResultFiles.Links*"),),
    ),
    Mutant(
        "names-terminal",
        "no terminal obeys a name",
        "apps/driftless/output/utf8.cpp",
        "return code < 0x20 || ",
        "return ",
        (Tests("test_cli", "Names.ReachNoTerminal"),),
    ),
    Mutant(
        "names-gnuplot",
        "no name is in gnuplot's language",
        "apps/driftless/plot/gnuplot.cpp",
        "c == ' ' || c == '_'",
        "c == ' ' || c == '_' || c == '`' || c == '\"'",
        (Tests("test_cli", "Names.InAPicture*"),),
    ),
    Mutant(
        "names-spreadsheet",
        "no name is a formula",
        "apps/driftless/output/csv_field.cpp",
        'name.find_first_of("=+-@\\t") == 0',
        "false",
        (Tests("test_cli", "Names.AreNoFormulas*"),),
    ),
    Mutant(
        "newton-one-iteration",
        "one iteration does not show how fast Newton's iteration contracts",
        "src/driftless/integrate/projected_radau.cpp",
        ".least_unseen = form_.is_classic() ? 0.0 : calibrated::least_unseen_contraction",
        ".least_unseen = 0.0",
        (Tests("test_unit_simulate", "*KnownAnswers.*"),),
    ),
    Mutant(
        "newton-nearer",
        "an iteration that ends in rounding leaves its nearest point",
        "src/driftless/integrate/projected_radau.cpp",
        "if (settled && scale_.norm(trial.out.correction) < before) return;",
        "",
        (Tests("test_reference", "Tolerance.OfAStiffSpring*"),),
    ),
    # Kinks and starts
    Mutant(
        "kink-leap",
        "a kink of index 1 that steps have come near to is stepped across",
        "src/driftless/integrate/kink_leap.h",
        "    if (!possible_) return std::nullopt;\n",
        "    if (possible_ || h != 0.0) return std::nullopt;\n",
        (Tests("test_unit_integrate", "*Kink.IsCrossed*"),),
    ),
    Mutant(
        "kink-continuous",
        "no step across a kink leads to another root",
        "src/driftless/integrate/beyond_kink.cpp",
        " || !is_continuous_until(there, scale)",
        "",
        (Tests("test_unit_integrate", "BeyondKink.*"),),
    ),
    Mutant(
        "start-settled",
        "start values do not move what conditions determine",
        "src/driftless/modelfile/start/initial_linear.cpp",
        "scaled_conditions() : settled()",
        "scaled_conditions() : SparseRows{}",
        (Tests("test_unit_modelfile", "StartTrust.Wishes*"),),
    ),
    Mutant(
        "files-exclusive",
        "a partial file is never one that somebody put there",
        "apps/driftless/output/partial_file.cpp",
        "O_CREAT | O_EXCL | O_NOFOLLOW | ",
        "O_CREAT | ",
        (Tests("test_cli", "ResultFiles.LinksUnder*"),),
    ),
    Mutant(
        "files-second-signal",
        "the first signal is a request as long as there is something to write",
        "apps/driftless/program/interrupt.cpp",
        "if (first && listeners > 0) return;",
        "if (first && listeners > 1) return;",
        (Tests("test_cli", "All/Signals.InARun*"),),
    ),
    Mutant(
        "streams-full",
        "a full standard output is exit code 3",
        "apps/driftless/program/program.cpp",
        "return code == ExitCode::ok ? ExitCode::file : code;",
        "return code == ExitCode::ok ? ExitCode::internal_error : code;",
        (Tests("test_cli", "Streams.AFull*"),),
    ),
    Mutant(
        "names-page-data",
        "no name ends the data of a page",
        "apps/driftless/report/page.cpp",
        '      text += "\\\\u003c";',
        "      text += c;",
        (Tests("test_cli", "Names.InAPage*"),),
    ),
    Mutant(
        "names-page-title",
        "no name ends the title of a page",
        "apps/driftless/report/page.cpp",
        '      result += "&lt;";',
        "      result += c;",
        (Tests("test_cli", "Names.InAPage*"),),
    ),
    Mutant(
        "names-page-headline",
        "the title of a page is text",
        "web/report/90_main.js",
        'querySelector("h1").textContent = title',
        'querySelector("h1").innerHTML = title',
        (Browser("Names"),),
    ),
    Mutant(
        "names-page-elements",
        "what a page shows is text",
        "web/report/10_data.js",
        "if (child !== null && child !== undefined) element.append(child);",
        'if (typeof child === "string") element.insertAdjacentHTML("beforeend", child); else if (child) element.append(child);',
        (Browser("Names"),),
    ),
    Mutant(
        "json-utf8",
        "text that is not UTF-8 is never fatal",
        "apps/driftless/output/json.cpp",
        "Json::error_handler_t::replace",
        "Json::error_handler_t::strict",
        (Tests("test_cli", "Streams.JsonIsOne*"),),
    ),
    # What is read
    Mutant(
        "results-fit",
        "columns of results have equal lengths",
        "apps/driftless/report/fitting_run.cpp",
        "if (table.columns[k].size() != table.rows())",
        "if (table.columns[k].empty())",
        (Tests("test_cli", "Results/Misfit.*"),),
    ),
    Mutant(
        "results-links",
        "results do not lead to other files",
        "apps/driftless/hdf5/read.cpp",
        "if (link.type != H5L_TYPE_HARD) throw Elsewhere(name);",
        "",
        (Tests("test_cli", "Results/Elsewhere.*"),),
    ),
    Mutant(
        "results-storage",
        "results do not take numbers from other files",
        "apps/driftless/hdf5/read.cpp",
        "H5Pget_external_count(how) != 0 || ",
        "",
        (Tests("test_cli", "Results/Elsewhere.*"),),
    ),
    Mutant(
        "results-crash",
        "a crash of HDF5 is a sentence",
        "apps/driftless/program/child_process.cpp",
        "if (pipe2(ends, O_CLOEXEC) != 0) return work();",
        "return work();",
        (Tests("test_cli", "Damaged.ATextLonger*"),),
    ),
    Mutant(
        "results-time",
        "a file that is read for ever is given up",
        "apps/driftless/program/child_process.cpp",
        "if (limits.seconds > 0) set(RLIMIT_CPU, limits.seconds);",
        "",
        (Tests("test_cli", "Slow.IsGivenUp"),),
    ),
    Mutant(
        "results-stop",
        "reading of results can be stopped",
        "apps/driftless/program/child_process.cpp",
        "      check_stop();\n",
        "",
        (Tests("test_cli", "Slow.CanBeStopped"),),
    ),
    Mutant(
        "results-orphan",
        "nobody reads on after the program is gone",
        "apps/driftless/program/child_process.cpp",
        "  prctl(PR_SET_PDEATHSIG, SIGKILL);",
        "",
        (Tests("test_cli", "Slow.CanBeStopped"),),
    ),
    Mutant(
        "limit-work",
        "functions without an end have one",
        "src/driftless/modelfile/flatten/context.cpp",
        "  if (work > allowed)\n",
        "  if (work > allowed && work == 0)\n",
        (Tests("test_unit_modelfile", "*Limits*"),),
    ),
    Mutant(
        "limit-rows",
        "rows that do not fit are refused before the run",
        "apps/driftless/commands/solve_request.cpp",
        "if (needed <= static_cast<double>(limits().memory)) return;",
        "if (rows >= 0.0) return;",
        (Tests("test_cli", "Limits.RowsThatDoNotFit*"),),
    ),
    Mutant(
        "limit-text",
        "what is no text is not read to its end",
        "apps/driftless/model/text_file.cpp",
        "zero != std::string_view::npos)",
        "zero != std::string_view::npos && path.empty())",
        (Tests("test_cli", "Limits.WhatIsNoText*"),),
    ),
    Mutant(
        "misuse-tolerance",
        "a negative tolerance is misuse",
        "src/driftless/integrate/require_options.cpp",
        "    if (!positive(each[i]))\n",
        "    if (each[i] == 0.0)\n",
        (Tests("test_unit_integrate", "*NegativeTolerance*:*NaNTolerance*"),),
    ),
    Mutant(
        "misuse-largest-step",
        "a largest step that is no number is misuse",
        "src/driftless/integrate/require_options.cpp",
        "if (!(stepping.largest >= 0.0))",
        "if (stepping.largest < 0.0)",
        (Tests("test_unit_integrate", "*LargestStepNaN*"),),
    ),
    Mutant(
        "event-nan",
        "an event whose function is not a number is told",
        "src/driftless/integrate/event_watch.cpp",
        "if (!undefined_ || direction_ * (t - undefined_->time) < 0.0) undefined_ = {event, t};",
        "",
        (Tests("test_unit_integrate", "Events.*"),),
    ),
    Mutant(
        "manifold-multipliers",
        "no manifold of multipliers without multipliers",
        "src/driftless/analysis/geometric/invariant_manifold.cpp",
        "if (equations.lambda_size() == 0)\n",
        "if (step_size < 0.0)\n",
        (Tests("test_cli", "Trouble.AnalysesOfModels*"),),
    ),
    # Components
    Mutant(
        "connect-outside",
        "a flow into a model counts with the other sign inside of it",
        "src/driftless/modelfile/instance/connections.cpp",
        "{points_[k].variable, !points_[k].inside}",
        "{points_[k].variable, false}",
        (Tests("test_conformance", "*s9_2_outside_connectors"),),
    ),
    Mutant(
        "connect-nothing",
        "a flow that is not connected is zero",
        "src/driftless/modelfile/instance/connections.cpp",
        "if (!numbers_.contains({flow.variable, true})) all",
        "if (numbers_.empty()) all",
        (Tests("test_conformance", "*s9_2_unconnected_flow_is_zero"),),
    ),
    Mutant(
        "modifier-order",
        "the outer one of two modifiers wins",
        "src/driftless/modelfile/instance/instantiate.cpp",
        "if (member.value.node == no_node && modifier.what->value != no_node)",
        "if (modifier.what->value != no_node)",
        (Tests("test_conformance", "*s7_2_modifiers_outer_wins"),),
    ),
    # Sliding
    Mutant(
        "sliding-both-sides",
        "a solution slides where both sides push towards the root",
        "src/driftless/modelfile/compiled/model_sliding.cpp",
        # Without the condition, sliding begins at a crossing and ends in the same moment, as its weight is used up.
        "if (!below || !(below->slope > 0.0)) return std::nullopt;",
        "if (!below || !(below->slope < 0.0)) return std::nullopt;",
        (Tests("test_conformance", "*s8_5_sliding*"),),
    ),
    Mutant(
        "sliding-mixture",
        "what slides is a mixture of both sides",
        "src/driftless/modelfile/compiled/sliding_model.cpp",
        "graph.multiply(other, substitute(graph, e, below))",
        "graph.multiply(other, substitute(graph, e, above))",
        (Tests("test_conformance", "*s8_5_sliding"),),
    ),
    Mutant(
        "sliding-ends",
        "sliding ends where the weight of one side is used up",
        "src/driftless/simulate/text_modes.cpp",
        "if (!above && inputs[relations[surface.ends_below].slot] == 0.0) continue;",
        "if (!above) continue;",
        (Tests("test_conformance", "*s8_5_sliding_ends*"),),
    ),
    Mutant(
        "sliding-round",
        "the round of an event that moves a surface is done without it",
        "src/driftless/modelfile/compiled/event_iteration.cpp",
        "if (now.in_mode && !moment.stays(now.kept, now.held.values)) {",
        "if (now.in_mode && now.t < 0.0) {",
        (Tests("test_conformance", "*s8_5_sliding_seen*"),),
    ),
    Mutant(
        "sliding-reinit",
        "what a reinit in a sliding mode sets is set where nothing slides",
        "src/driftless/modelfile/compiled/event_iteration.cpp",
        "if (!now.reinits.empty() && now.outcome.errors.empty()) return unfinished(now, now.judged_at);",
        "",
        (Tests("test_conformance", "*reinit_of_a_sliding_state"),),
    ),
    Mutant(
        "sliding-others",
        "surfaces that an event leaves alone go on to slide in it",
        "src/driftless/simulate/text_modes.cpp",
        "return !settled || !without.is_at_root(",
        "return settled || !without.is_at_root(",
        (Tests("test_conformance", "*s8_5_sliding_on_two_of_which_one_moves"),),
    ),
    # Events and what is legal
    Mutant(
        "event-at-the-end",
        "an event of a state exactly at the end is counted",
        "src/driftless/simulate/simulate.cpp",
        "if (const Stretch* after = std::get_if<Stretch>(&last)) count_at_end(after->happened);",
        "",
        (Tests("test_conformance", "*s8_3_6_sawtooth_to_the_stop:*s8_6_state_event_at_stop_time"),),
    ),
    Mutant(
        "event-rounds",
        "pre(v) is fixed during a round",
        "src/driftless/modelfile/compiled/event_iteration.cpp",
        "    now.held.values[place] = value;\n    now.fresh = false;",
        "    now.held.values[place] = value;\n    for (const Discrete& d : discrete_) now.held.values[d.before] = values(now)[d.value];\n"
        "    now.fresh = false;",
        (Tests("test_conformance", "*b_chain_through_pre:*b_three_rounds:*s11_1*"),),
    ),
    Mutant(
        "protected",
        "protected elements cannot be used from outside",
        "src/driftless/modelfile/instance/rewrite.cpp",
        "if (!member.declaration->is_protected) return;",
        "if (member.declaration != nullptr) return;",
        (Tests("test_conformance", "*s4_1_protected*"),),
    ),
    Mutant(
        "discrete-moves",
        "a discrete Real cannot be equal to what moves",
        "src/driftless/modelfile/flatten/flatten_when.cpp",
        "if (equation == nullptr) continue;",
        "if (equation != nullptr) continue;",
        (Tests("test_conformance", "*s4_4_discrete_with*"),),
    ),
    Mutant(
        "function-bound",
        "function f(k = 2) has the values that it was given",
        "src/driftless/modelfile/flatten/function_value.cpp",
        "return call_function(*function.definition, call, function.bound);",
        "return call_function(*function.definition, call);",
        (Tests("test_conformance", "*s12_4_2*"),),
    ),
    Mutant(
        "record-sizes",
        "records of other sizes are other records",
        "src/driftless/modelfile/flatten/symbol_types.cpp",
        "&RecordField::dims, &RecordField::dims",
        "&RecordField::name, &RecordField::name",
        (Tests("test_conformance", "*record_of_open_size*:*record_with_a_size*"),),
    ),
    Mutant(
        "loop-rounds",
        "a loop that needs more rounds than were written down ends the run",
        "src/driftless/modelfile/flatten/algorithm.cpp",
        'evaluator_.require(Scalar::of(0.0), fmt::format("a loop does not end after {} rounds", most), range);',
        "",
        (Tests("test_conformance", "*s11_2_loop_does_not_end"),),
    ),
    Mutant(
        "loop-leaves",
        "who leaves a loop keeps the values that he left it with",
        "src/driftless/modelfile/flatten/algorithm.cpp",
        "escape_where(context_.arithmetic.logical_not(condition), leaves_);",
        "",
        (Tests("test_conformance", "*s11_2*:*s12*"),),
    ),
    Mutant(
        "recursion-depth",
        "a recursion that goes deeper than was written down ends the run",
        "src/driftless/modelfile/flatten/recursion.cpp",
        "  require(Scalar::of(0.0), message, tree_.range(call));\n",
        "",
        (Tests("test_conformance", "*s12_recursion_too_deep"),),
    ),
    Mutant(
        "recursion-memory",
        "calls with other formulas are other calls",
        "src/driftless/modelfile/flatten/recursion.cpp",
        "  const RecursiveCall key{&definition, mode_.in_initial, *std::move(formulas)};",
        "  formulas->clear();\n  const RecursiveCall key{&definition, mode_.in_initial, *std::move(formulas)};",
        (Tests("test_conformance", "*s12_recursion*"),),
    ),
    Mutant(
        "accumulation-window",
        "events that are far apart do not accumulate, however many there are",
        "src/driftless/integrate/event_accumulation.cpp",
        "return std::abs(times_.back() - times_[times_.size() - count]) <= window ? count : 0;",
        "return window >= 0.0 ? count : 0;",
        (Tests("test_conformance", "*x_converter_one_second"),),
    ),
    Mutant(
        "accumulation-point",
        "a run does not go through the point at which its events accumulate",
        "src/driftless/simulate/accumulation_point.cpp",
        "gone_ = root_of(stretch, event_, t, state) > away * root_ + absolute_;",
        "gone_ = false;",
        (Tests("test_conformance", "*x_bouncing_ball*"), Tests("test_unit_simulate", "AccumulationPoint.*")),
    ),
    Mutant(
        "long-line",
        "characters of a long line are counted from its beginning",
        "src/driftless/modelfile/text/source.cpp",
        "return characters_[whole] + count_characters(",
        "return count_characters(",
        (Tests("test_unit_modelfile", "Source.*"),),
    ),
    Mutant(
        "interval-stop",
        "a product of intervals ends when somebody stops it",
        "src/driftless/analysis/stability/interval_matrix.cpp",
        "check_stop();  // a thousand columns take a minute",
        "",
        (Tests("test_unit_analysis", "IntervalMatrix.*"),),
    ),
    Mutant(
        "saddle-kernel",
        "multipliers of redundant constraints are of least norm in sparse systems, too",
        "src/driftless/linalg/saddle_redundancy.cpp",
        "  take_out(x.subspan(n_, m_), x.first(n_));",
        "",
        (Tests("test_unit_linalg", "SaddleSystem.*"),),
    ),
    Mutant(
        "saddle-independent",
        "constraints that become independent again are taken back",
        "src/driftless/linalg/saddle_redundancy.cpp",
        "if (!(std::abs(left[row]) <= rounding * size[row])) return false;",
        "if (std::isnan(left[row])) return false;",
        (Tests("test_unit_linalg", "SaddleSystem.*"),),
    ),
    Mutant(
        "sparse-hidden-constraint",
        "sparse multipliers belong to the hidden constraint",
        "src/driftless/equations/index2_normal.cpp",
        "out[g_.row[k]] += g_values_[k] * x[j];\n  }\n  void add_sizes",
        "out[g_.row[k]] -= g_values_[k] * x[j];\n  }\n  void add_sizes",
        (Tests("test_unit_integrate", "SparseIndex2.*"),),
    ),
    Mutant(
        "factors-without-room",
        "sparse factors that find no room are no singular matrix",
        "src/driftless/linalg/sparse_lu.cpp",
        "  refuse_lu(m.common, static_cast<std::size_t>(m.size));\n",
        "",
        (Tests("test_unit_linalg", "Room*"),),
    ),
    Mutant(
        "factors-counted",
        "what sparse factors will take is counted before they are made",
        "src/driftless/linalg/sparse_lu.cpp",
        "  require_factors();\n",
        "",
        (Tests("test_unit_linalg", "SparseLu.*"),),
    ),
    Mutant(
        "trace-budget",
        "a trace in which everything depends on everything is given up",
        "src/driftless/autodiff/tracer.h",
        "    if (bytes > left_) throw Exceeded();\n",
        "",
        (Tests("test_unit_autodiff", "TracerTest.*"),),
    ),
    Mutant(
        "index3-text-patterns",
        "models of index 3 as text have the derivatives of the velocities alone in k",
        "src/driftless/modelfile/compiled/compiled_index3.cpp",
        "derivatives(graph, std::span(k.formulas()).subspan(n), n + p + m, {})",
        "derivatives(graph, std::span(k.formulas()).first(p), n + p + m, {})",
        (Tests("test_reference", "SizedProblems.TextOfIndex3*"),),
    ),
    Mutant(
        "saddle-same-values",
        "factors are kept only while all values are what they were",
        "src/driftless/linalg/saddle_system.cpp",
        "if (!factorised_.empty() && std::ranges::equal(values, factorised_)) return regular_;",
        "if (!factorised_.empty()) return regular_;",
        (Tests("test_unit_linalg", "SaddleSystem.*"),),
    ),
    Mutant(
        "saddle-left-kernel",
        "rows to leave out are found by the kernel of the transposed matrix",
        "src/driftless/linalg/saddle_redundancy.cpp",
        "const Matrix left = kernel_of(shifted, m, true);",
        "const Matrix left = kernel_of(shifted, m, false);",
        (Tests("test_unit_linalg", "SaddleSystem.*"),),
    ),
    Mutant(
        "traced-product",
        "what is multiplied by an unknown does not enter linearly",
        "src/driftless/autodiff/tracer.h",
        "    curved = from;\n    return *this;",
        "    return *this;",
        (Tests("test_unit_autodiff", "TracerTest.*"),),
    ),
    Mutant(
        "index3-velocity-level",
        "velocities of sparse problems of index 3 are projected along g_u f_v",
        "src/driftless/equations/index3_normal.cpp",
        "    f_v().add_product(1.0, x, moved);",
        "    std::ranges::copy(x, moved.begin());",
        (Tests("test_unit_integrate", "SparseIndex3*"),),
    ),
    Mutant(
        "index3-held",
        "an event of a sparse problem of index 3 leaves alone what is not free",
        "src/driftless/equations/index3_normal.cpp",
        "if (!free[n_ + pattern.row[e]]) values[e] = 0.0;",
        "if (!free[n_ + pattern.row[e]]) continue;",
        (Tests("test_unit_integrate", "SparseIndex3*"),),
    ),
    Mutant(
        "shallow-dips",
        "dips of event functions that may hold two roots are looked into",
        "src/driftless/integrate/event_watch.cpp",
        "constexpr double deep_share = 0.5;",
        "constexpr double deep_share = 1e-3;",
        (Tests("test_unit_integrate", "Events.*"),),
    ),
    # Size
    Mutant(
        "short-rows",
        "an unknown is not computed from very many others unless it is written so",
        "src/driftless/modelfile/structure/elimination_growth.cpp",
        "  if (!block.written && all.size() > most_read) return false;\n",
        "",
        (Tests("test_reference", "LargeModels.RowsOfALadder*"),),
    ),
    Mutant(
        "hubs",
        "what is made of all unknowns and stands in all rows stays an unknown",
        "src/driftless/modelfile/structure/reduce_explicit.cpp",
        "      acceptable[b] = 0;\n",
        "",
        (Tests("test_reference", "LargeModels.WhatStands*"),),
    ),
    Mutant(
        "fixed-sizes",
        "what was pinned while a model was read is computed once, what is pinned later is not",
        "src/driftless/expression/parameter_trace.cpp",
        "  fixed_[node] = reading_;\n",
        "  fixed_[node] = 1;\n",
        (Tests("test_unit_expression", "Trace.*"),),
    ),
    Mutant(
        "start-follows",
        "what is not stated follows from what is, before a compromise is sought",
        "src/driftless/modelfile/start/initial_follow.cpp",
        "  if (stage.unknowns.size() > most) return values;\n",
        "  if (stage.unknowns.size() + most > 0) return values;\n",
        (Tests("test_unit_modelfile", "StartTrust.*"),),
    ),
    Mutant(
        "start-follows-lines",
        "of several equations that tell an unknown, the one nearest to a line is taken",
        "src/driftless/modelfile/start/initial_follow.cpp",
        "left < best->nonlinear",
        "left > best->nonlinear",
        (Tests("test_unit_modelfile", "StartTrust.*"),),
    ),
    Mutant(
        "explicit-follows-algebraic",
        "explicit steps of index 1 follow algebraic unknowns by their slopes",
        "src/driftless/equations/manifold.cpp",
        "  const bool algebraic = levels() == 1 && constraint_count() > 0;\n",
        "  const bool algebraic = levels() == 0;\n",
        (Tests("test_unit_integrate", "MeetingBranches.*"),),
    ),
    Mutant(
        "index-rose",
        "a step in which the decisive determinant fell and rose is searched for a zero",
        "src/driftless/integrate/index_watch.cpp",
        "line < 0.0 && root > 1.0;\n",
        "line > 0.0 && root > 1.0;\n",
        (Tests("test_unit_integrate", "IndexWatch.Searches*"),),
    ),
    Mutant(
        "output-off-manifold",
        "a row between steps for which no way leads to the constraints is no result",
        "src/driftless/integrate/run.cpp",
        "    return status;\n  }\n\n  // Only output",
        "    return dense.multipliers_by_constraint ? status : ManifoldStatus::ok;\n  }\n\n  // Only output",
        (Tests("test_unit_integrate", "OutputRows.*"),),
    ),
    Mutant(
        "partial-signal",
        "a signal right after a partial file was made leaves none",
        "apps/driftless/output/partial_file.cpp",
        "    pthread_sigmask(SIG_BLOCK, &ends, &before_);\n",
        "    pthread_sigmask(SIG_UNBLOCK, &ends, &before_);\n",
        (Faults("moments"),),
    ),
    # Studies
    Mutant(
        "study-extremes",
        "extremes of a run are looked for between rows",
        "src/driftless/study/measure.cpp",
        "return sign * std::max(top, top_between(run, column, sign, before, behind));",
        "return sign * top;",
        (Tests("test_unit_study", "Sweep.MeasuresAre*"),),
    ),
    Mutant(
        "study-sobol",
        "points of Sobol's sequence are stratified in every dimension",
        "src/driftless/study/unit_samples.cpp",
        "{7, 1, {1, 3, 7, 11, 23, 15, 103}},",
        "{7, 1, {1, 3, 7, 11, 22, 15, 103}},",
        (Tests("test_unit_study", "StudyDesign.Sobols*"),),
    ),
    Mutant(
        "study-latin",
        "a Latin hypercube has one sample in each stratum",
        "src/driftless/study/unit_samples.cpp",
        "} while (i >= count);",
        "} while (false);",
        (Tests("test_unit_study", "StudyDesign.*"),),
    ),
    Mutant(
        "study-journal",
        "a line of the journal that was cut off or changed is not taken for a run",
        "apps/driftless/study/study_journal.cpp",
        "    if (all.substr(good, end - good) != checked(line)) return good;\n",
        "",
        (Tests("test_cli", "Sweep.SpoiltLines*"),),
    ),
    Mutant(
        "study-batch-script",
        "a batch script of Slurm has a rank, and runs all of a study",
        "apps/driftless/study/shard.cpp",
        '"SLURM_STEP_NUM_TASKS"}})',
        '"SLURM_NTASKS"}})',
        (Tests("test_cli", "Sweep.Launchers*"),),
    ),
    Mutant(
        "branch-states",
        "an impulse acts through all inertia: states that a branch ties together are not eliminated",
        "src/driftless/modelfile/structure/reduce_aliases.cpp",
        "    if (takes_kept(sum.values)) return false;\n",
        "",
        (Tests("test_conformance", "*l_masses_become_one*:*l_ideal_switch*"),),
    ),
    Mutant(
        "branch-position",
        "positions do not jump where a constraint becomes active",
        "src/driftless/simulate/branch_switch.cpp",
        "if (!(std::abs(residual[i]) <= most[i]))",
        "if (std::isnan(most[i]))",
        (Tests("test_conformance", "*l_positions_do_not_jump*"),),
    ),
    Mutant(
        "branch-impulse-sign",
        "an impulse has the sign of its multiplier in the model",
        "src/driftless/simulate/branch_switch.cpp",
        "one = -one;",
        "one = +one;",
        (Tests("test_unit_simulate", "BranchSwitch.*"),),
    ),
    Mutant(
        "branch-direction",
        "an impulse whose direction changes on the way is refused",
        "src/driftless/simulate/branch_switch.cpp",
        "constexpr double noticeable = 1e-7;",
        "constexpr double noticeable = 1e7;",
        (Tests("test_conformance", "*l_friction_of_the_blow*"),),
    ),
    Mutant(
        "branch-parameters",
        "branches that are compiled once have the values of the parameters",
        "src/driftless/modelfile/compiled/model_branches.cpp",
        "if (made.ok() && set.empty()) return made;",
        "if (made.ok()) return made;",
        (Tests("test_unit_simulate", "BranchSwitch.ParametersStayInputs"),),
    ),
    Mutant(
        "branch-one-form",
        "positions do not jump where branches of one form take turns, either",
        "src/driftless/simulate/text_branches.cpp",
        "  move.switches.push_back(std::move(change));\n",
        "",
        (Tests("test_conformance", "*l_positions_do_not_jump_in_one_form*"),),
    ),
    Mutant(
        "branch-rates",
        "the round that makes other branches active has the rates of those before",
        "src/driftless/modelfile/compiled/event_iteration.cpp",
        "left ? now.begin : now.held",
        "left ? now.held : now.held",
        (Tests("test_unit_simulate", "BranchSwitch.*"),),
    ),
    Mutant(
        "branch-accumulation",
        "a ball that came to rest and is lifted off has not gone through the floor",
        "src/driftless/simulate/accumulation_point.cpp",
        "if (!(after.mode == before.mode))",
        "if (false)",
        (Tests("test_unit_simulate", "BranchSwitch.ManyBounces*"),),
    ),
    Mutant(
        "branch-path",
        "branches that lead to one with other unknowns are fixed, too",
        "src/driftless/modelfile/compiled/model_modes.cpp",
        "choices_[paths_[link].choice].leads_on = true;",
        "choices_[paths_[link].choice].leads_on = false;",
        (Tests("test_conformance", "*l_chain_of_branches*"),),
    ),
    # The wide form of mechanics
    Mutant(
        "wide-augmented",
        "a singular mass does not change what forces and constraints say",
        "src/driftless/equations/wide_linearisation.cpp",
        "  if (augmented_) add_weighted(bottom, top);\n  dense_->solve(top, bottom);\n",
        "  dense_->solve(top, bottom);\n",
        (Tests("test_unit_equations", "*WideCases*"),),
    ),
    Mutant(
        "wide-virtual",
        "positions that are projected move along T",
        "src/driftless/equations/manifold_wide.cpp",
        "q[i] += rates_(i, n_ + j) * along[j];",
        "q[i] += (i == j ? 1.0 : 0.0) * along[j];",
        (Tests("test_unit_equations", "*WideCases*"),),
    ),
    Mutant(
        "wide-second-rate",
        "the second derivative of a constraint has that of T v in it",
        "src/driftless/equations/wide_automatic.h",
        "    for (std::size_t i = 0; i < m_; ++i) out[i] += turn[i];\n",
        "",
        (Tests("test_unit_equations", "WideMechanical.*:*WideCases*"),),
    ),
    Mutant(
        "wide-invariants",
        "invariants are projected on",
        "src/driftless/equations/manifold_wide_invariants.cpp",
        "  if (i_ + j_ == 0) return ManifoldStatus::ok;\n",
        "  return ManifoldStatus::ok;\n",
        (Tests("test_unit_integrate", "Invariants.*"),),
    ),
    Mutant(
        "wide-half-explicit",
        "half-explicit stages satisfy constraints on velocities at the next stage",
        "src/driftless/step/half_explicit_wide.cpp",
        "      k(p_ + l, j) = m.there(l, j);\n",
        "      k(p_ + l, j) = m.here(l, j);\n",
        (Tests("test_order", "*WideOrder*"),),
    ),
    Mutant(
        "wide-steep-explicit",
        "explicit steps in the wide form see what errors of positions make of multipliers",
        "src/driftless/integrate/adaptive_explicit.cpp",
        "      steep_(std::holds_alternative<Mechanical>(equations) || std::holds_alternative<Index1>(equations)\n",
        "      steep_(std::holds_alternative<Mechanical>(equations) || std::holds_alternative<Index1>(equations) ||\n"
        "                     std::holds_alternative<WideMechanical>(equations)\n",
        (Tests("test_unit_integrate", "SteepMultipliers.*"),),
    ),
    Mutant(
        "wide-steep-radau",
        "Radau's steps in the wide form do so on every level",
        "src/driftless/integrate/radau_form.cpp",
        "  multipliers_follow = by_constraint && !plain && !",
        "  multipliers_follow = by_constraint && !plain && !wide && !",
        (Tests("test_unit_integrate", "SteepMultipliers.*"),),
    ),
    Mutant(
        "plain-steep-levels",
        "and in the plain form on the levels of index 2 and 3",
        "src/driftless/integrate/radau_form.cpp",
        "  const bool plain = mechanical && on_acceleration_level;\n",
        "  const bool plain = mechanical;\n",
        (Tests("test_unit_integrate", "SteepMultipliers.*"),),
    ),
    Mutant(
        "steep-inside-explicit",
        "the interpolant of an explicit step is only used where its multipliers are right as well",
        "src/driftless/integrate/explicit_dense.cpp",
        "  if (!steep_ || worst > most) return worst <= most;\n",
        "  return worst <= most;\n",
        (Tests("test_unit_integrate", "SteepMultipliers.*"),),
    ),
    Mutant(
        "wide-speeds",
        "a coordinate of the wide form that is a speed is called a velocity",
        "src/driftless/modelfile/structure/wide_roles.cpp",
        "      if (is_speed(c.slot)) is_velocity_[c.slot] = 1;\n",
        "      if (is_speed(c.slot)) is_velocity_[c.slot] = 0;\n",
        (Tests("test_cli", "Structures.*"),),
    ),
    Mutant(
        "one-derivative",
        "a derivative in two constraints is one unknown",
        "src/driftless/modelfile/structure/plan_hessenberg.cpp",
        "    if (is_new) {\n      found->second",
        "    if (is_new || true) {\n      found->second",
        (Tests("test_unit_modelfile", "Wide.*"),),
    ),
    Mutant(
        "coupled-least-norm",
        "coupled stages with redundant constraints correct multipliers by the right factor",
        "src/driftless/step/coupled_index2.cpp",
        "a < n_ || (!marks_[i].empty() && marks_[i][a] != 0.0)",
        "a < n_",
        (Tests("test_unit_integrate", "WideRuns.*"),),
    ),
    # The judge
    Mutant(
        "judge-infinite",
        "a band without end reproduces nothing",
        "apps/driftless/reproduce/measurement.cpp",
        "!band().is_finite() || ",
        "",
        (Tests("test_cli", "Measurement.*"),),
    ),
    Mutant(
        "judge-empty",
        "an item without a number is off",
        "apps/driftless/reproduce/measurement.cpp",
        "lines.empty() || ",
        "",
        (Tests("test_cli", "Measurement.*"),),
    ),
    # Python
    Mutant(
        "python-values-compared",
        "what a function was recorded as is compared with what it returns",
        "python/driftless/functions.py",
        "                return True\n        return False\n",
        "                return False\n        return False\n",
        (Python("test_called.py", "more_than_its_arguments"),),
    ),
    Mutant(
        "python-own-arguments",
        "each call gets arrays of its own",
        "python/driftless/functions.py",
        "    return value.copy() if isinstance(value, np.ndarray) else value\n",
        "    return value\n",
        (Python("test_called.py", "arguments_may_be_changed"),),
    ),
    Mutant(
        "python-array-shape",
        "a part of an array of parameters is refused",
        "python/driftless/problem.py",
        "            if shape != self._shapes.get(name, shape):\n",
        "            if False:\n",
        (Python("test_functions.py", "arrays_of_parameters"),),
    ),
    Mutant(
        "python-constraint-whole",
        "constraints are written as a whole, so that mechanisms are recognised",
        "python/driftless/write.py",
        "        return self._spread(node, 0)[0]\n",
        "        return self.text(node)\n",
        (Python("test_reference.py", "recognised"),),
    ),
    Mutant(
        "python-rows-in-span",
        "rows of a run are in its own span",
        "python/bind/bind_model.cpp",
        "times_of_grid(usual_rows, solve.span)",
        "times_of_grid(usual_rows, {model.begin, model.end})",
        (Python("test_analyse.py", "any_span"),),
    ),
    Mutant(
        "python-relation-overleapt",
        "a jump takes relations to their other side",
        "python/bind/watched_model.cpp",
        "  if (jumped) of_model = overleapt(before, first, t, state, changed);\n",
        "",
        (Python("test_events.py", "ball_bounces"),),
    ),
    Mutant(
        "python-event-beside-branch",
        "an event at the moment of a branch is seen",
        "python/bind/watched_model.cpp",
        "  for (const std::size_t k : at_zero(before, t, state))\n",
        "  for (const std::size_t k : std::vector<std::size_t>{})\n",
        (Python("test_events.py", "moment_of_a_branch"),),
    ),
    Mutant(
        "python-differences-extrapolated",
        "G of a called constraint is extrapolated",
        "python/bind/differences.cpp",
        "  if (needed == Needed::for_newton) {\n",
        "  if (needed != Needed::for_newton || true) {\n",
        (Python("test_called.py", "gradients_of_calls"),),
    ),
]
