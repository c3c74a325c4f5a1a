#include "apps/driftless/program/exit_codes.h"

#include <algorithm>

namespace driftless::cli {

namespace {

constexpr Explanation table[] = {
    {ExitCode::ok, "ok", "The run reached its end, or an event of the model that ends it.", "", ""},
    {ExitCode::internal_error, "internal-error", "Something happened that the program has no name for.",
     "a defect of driftless", "report it with the model and the command line"},
    {ExitCode::usage, "usage", "The command line cannot be right, whatever the model is. Nothing was computed.",
     "an option or a sub-command that does not exist, or a value that is not a number\n"
     "options that exclude each other, such as --grid and --every-step\n"
     "a method that the theory refuses for this index, or one that takes fixed steps without --steps or --step-size\n"
     "--set with a name that the model does not have",
     "driftless SUB-COMMAND --help\n"
     "driftless methods NAME says what a method is good for, and why it is refused\n"
     "driftless check MODEL lists the names that can be set"},
    {ExitCode::file, "file",
     "A file could not be read or written, or a matrix or method in it is not right; the message has the place.",
     "the name is misspelt, or the folder does not exist\n"
     "no permission, or no space left\n"
     "a matrix of the wrong size, a field that is no number, coefficients of a method that do not fit together",
     "output files are opened before the run starts, so a run is not lost to a wrong name\n"
     "an existing file is replaced only when the new one is complete"},
    {ExitCode::model_text, "model-text",
     "The text of the model is not right. Every message has file, line and column, with a caret under the place.",
     "a slip of the pen: a missing semicolon, a misspelt name\n"
     "sizes of arrays that do not fit\n"
     "a part of Modelica that goes beyond flat models: classes, connect, extends",
     "repair the first message first; later ones may follow from it\n"
     "let a Modelica tool flatten the model: omc --baseModelica writes files that driftless reads as they are"},
    {ExitCode::model_structure, "model-structure",
     "The text can be read, but the equations do not determine the variables, or are of a structure that is not "
     "treated.",
     "an equation is missing, or one is too many\n"
     "two equations say the same, or contradict each other\n"
     "the index is higher than 3: a constraint does not meet a second derivative\n"
     "an event made a branch of an 'if' active that has another index or another number of constraints",
     "count: as many equations as variables that are neither parameters nor constants\n"
     "look at the equations and variables that the message names: they are the ones to blame\n"
     "driftless check MODEL shows what was found"},
    {ExitCode::limit, "limit",
     "It would take more memory, work or time than is allowed. The message says what needed how much, and which option "
     "raises the limit.",
     "a slip in the size of an array or a loop, or a function that never ends\n"
     "a model, or a number of rows of output, that is too large for this machine\n"
     "--time-limit is over",
     "look at the place that the message names: is it as large as it is meant to be?\n"
     "raise the limit: --max-memory SIZE, --max-work N, --time-limit SECONDS\n"
     "fewer rows: --grid N, --interval DT"},
    {ExitCode::not_finite, "not-finite", "A formula of the model returned NaN or infinity.",
     "division by zero, square root or logarithm of a negative number\n"
     "an exponential that overflows, such as a diode far above its voltage\n"
     "start values far from what the model is meant for",
     "the message names the equation and the values that it was called with: look there\n"
     "guard the formula, for instance sqrt(max(x, 0)), or give better start values\n"
     "--largest-step H, if a step jumps over a narrow place"},
    {ExitCode::newton_did_not_converge, "newton-did-not-converge",
     "The nonlinear equations of a step have no solution near the last point, or it was not found.",
     "with fixed steps: the steps are too large\n"
     "a formula with a kink or a jump inside the step",
     "take smaller steps (--steps, --step-size), or leave them out: adaptive steps shrink by themselves\n"
     "state jumps with `when` or `if`, so that they are located"},
    {ExitCode::singular_matrix, "singular-matrix", "A matrix that must be invertible is not.",
     "a variable that no equation depends on at this point\n"
     "a mass of zero\n"
     "a mechanism in a singular position, such as a linkage that is stretched out",
     "the message names the variable: look for the equation that should determine it\n"
     "driftless check MODEL --set ... at the point in question shows rank and condition"},
    {ExitCode::rank_deficient, "rank-deficient", "Constraints depend on each other, and contradict each other.",
     "a mechanism that is fixed in more ways than it can move\n"
     "a constraint that is stated twice with different constants",
     "remove one of the constraints that the message names, or make their constants agree\n"
     "redundant constraints that do not contradict each other are no problem in mechanical models"},
    {ExitCode::inconsistent_start, "inconsistent-start",
     "No values near the given ones satisfy the constraints, hidden ones included.",
     "start values far from the constraint\n"
     "too many variables with fixed = true\n"
     "a constraint that no values satisfy, such as x^2 + y^2 = -1",
     "driftless init MODEL shows the given values beside those that were tried\n"
     "set fixed = true for fewer variables; the others are then moved as little as possible\n"
     "give better start values (--set x=0.6)"},
    {ExitCode::projection_failed, "projection-failed",
     "A step ended so far from the constraints that there is no way back.",
     "with fixed steps: the steps are too large\n"
     "a mechanism that runs into a singular position",
     "take smaller steps, or leave --steps out\n"
     "look at the last states (--every-step --output FILE.csv): which constraint loses its gradient?"},
    {ExitCode::step_size_too_small, "step-size-too-small",
     "However small the step, the error test or Newton's iteration rejects it.",
     "the solution tends to infinity in finite time, or ends: a singularity\n"
     "a jump in a formula that no event locates, for instance inside noEvent\n"
     "a tolerance below what rounding allows for numbers of this size",
     "look at the last rows of the output, and at the variable that the message names\n"
     "state jumps with `when` or `if` outside noEvent\n"
     "loosen --rtol and --atol, or scale the model so that its numbers are not tiny"},
    {ExitCode::too_many_steps, "too-many-steps", "The limit of steps or of events was reached.",
     "an oscillation that need not be resolved, or friction that chatters around rest\n"
     "events that accumulate, like the bounces of a ball that comes to rest\n"
     "a long run at a sharp tolerance",
     "--step-limit N raises the limit, --rtol loosens the tolerance\n"
     "add a state of rest to a model whose events accumulate"},
    {ExitCode::assertion_failed, "assertion-failed", "The model itself says that something must not be: an assert().",
     "the run left the region for which the model is meant\n"
     "parameters or start values that contradict the assumptions of the model",
     "read the message: it is the author's of the model\n"
     "look at the last rows of the output"},
    {ExitCode::diverged, "diverged", "A solution, or an iteration, left every bounded region.",
     "the solution grows without bound: a spring with the wrong sign, an amplifier without a limit\n"
     "start values far from where the model is at home",
     "look at the last rows of the output: which variable grows first?\n"
     "check the signs of the equations that determine it"},
    {ExitCode::assumption_violated, "assumption-violated", "What a theorem asks for does not hold here.",
     "an analysis was asked for whose conditions the model, the method or the region does not satisfy",
     "the message names the condition; choose another method, region or step size\n"
     "driftless methods NAME says which conditions a method satisfies"},
    {ExitCode::index_lost, "index-lost",
     "The matrix that decides the index becomes singular on the way: beyond that point there is no solution, or more "
     "than "
     "one, or multipliers without a value.",
     "a mechanism that runs through a singular position: a linkage that is stretched out, a curve that crosses itself\n"
     "a constraint that loses its gradient, or its multiplier, at some time\n"
     "an algebraic equation with a fold: the root that the run follows meets another one and both vanish",
     "end the run before that time (--t-end, or `when ... then terminate`): the states until then are right\n"
     "look at `condition` in the output of --json: it tells how singular the matrix was at worst, and when\n"
     "state the constraints in another way, so that they stay independent there"},
    {ExitCode::equation_violated, "equation-violated",
     "The results, put back into the equations of the model as written, do not satisfy one of them.",
     "equations that determine their unknowns so badly that rounding is amplified to the size of the result\n"
     "a tolerance that is too loose for the model\n"
     "a defect of driftless",
     "the message names the equation: look at the unknowns in it\n"
     "--rtol with a smaller number\n"
     "report it with the model if neither helps"},
    {ExitCode::runs_failed, "runs-failed",
     "The study is complete, and some of its runs failed: their rows have no values, and say why.",
     "values for which the model has no solution, or no start\n"
     "values that lead to an assertion of the model, or to a singular configuration",
     "look at the columns `status` and `reason` of these rows\n"
     "driftless solve MODEL --set NAME=VALUE with the values of such a row, to see that run alone"},
    {ExitCode::hung_up, "hung-up",
     "SIGHUP: the run stopped after the step that it was in, and everything until then was written.",
     "the terminal was closed, or the connection to another machine broke",
     "nohup driftless ... goes on when the terminal is closed"},
    {ExitCode::interrupted, "interrupted",
     "Ctrl-C: the run stopped, and everything up to its last accepted step was written.",
     "you pressed Ctrl-C, or something sent SIGINT",
     "a second signal ends at once: files that were there stay, and no partial ones are left"},
    {ExitCode::terminated, "terminated",
     "SIGTERM: the run stopped, and everything up to its last accepted step was written.",
     "a batch system ended the job, or someone called kill", "ask the batch system for more time"},
};

}  // namespace

std::span<const Explanation> explanations() { return table; }

const Explanation& explanation_of(ExitCode code) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const Explanation& e) { return e.code == code; });
  return found != std::end(table) ? *found : explanation_of(ExitCode::internal_error);
}

ExitCode exit_code_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::not_finite: return ExitCode::not_finite;
    case FailureKind::newton_did_not_converge: return ExitCode::newton_did_not_converge;
    case FailureKind::singular_matrix: return ExitCode::singular_matrix;
    case FailureKind::rank_deficient: return ExitCode::rank_deficient;
    case FailureKind::inconsistent_start: return ExitCode::inconsistent_start;
    case FailureKind::projection_failed: return ExitCode::projection_failed;
    case FailureKind::step_size_too_small: return ExitCode::step_size_too_small;
    case FailureKind::too_many_steps: return ExitCode::too_many_steps;
    case FailureKind::diverged: return ExitCode::diverged;
    case FailureKind::assumption_violated: return ExitCode::assumption_violated;
    case FailureKind::stopped: return ExitCode::interrupted;
    case FailureKind::index_lost: return ExitCode::index_lost;
    case FailureKind::assertion_failed: return ExitCode::assertion_failed;
    case FailureKind::equation_violated: return ExitCode::equation_violated;
    case FailureKind::other_structure: return ExitCode::model_structure;
    case FailureKind::limit_reached: return ExitCode::limit;
  }
  return ExitCode::internal_error;
}

ExitCode exit_code_of(RefusedModel::Stage stage) {
  switch (stage) {
    case RefusedModel::Stage::reading: return ExitCode::model_text;
    case RefusedModel::Stage::limit: return ExitCode::limit;
    case RefusedModel::Stage::structure: return ExitCode::model_structure;
    case RefusedModel::Stage::start: return ExitCode::inconsistent_start;
  }
  return ExitCode::internal_error;
}

}  // namespace driftless::cli
