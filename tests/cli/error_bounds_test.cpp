// Error bounds on models of the user's own, beside errors in closed form: solve --error-bound and analyse errors.
#include <cmath>

#include "tests/cli/program.h"

namespace driftless::cli_test::error_bounds_test {
namespace {

// y = exp(-t), z + z^3 = y.
const char* const cubic = R"(model cubic
  Real y(start = 1, fixed = true), z(start = 0.7);
equation
  der(y) = -2 * y + z + z^3;
  z + z^3 = y;
  annotation(experiment(StopTime = 2));
end cubic;
)";

double z_of(double y) {
  double z = y;
  for (int k = 0; k < 50; ++k) z -= (z + z * z * z - y) / (1.0 + 3.0 * z * z);
  return z;
}

class ErrorBounds : public InFolder {
 protected:
  ErrorBounds() { write("cubic.mo", cubic); }
  static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  static Json answer(const std::string& arguments) {
    const Outcome outcome = driftless(arguments + " --json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
};

// Implicit Euler makes (1 + h)^-n of it. All local errors have the same sign, so that the bound of P e is nearly met.
TEST_F(ErrorBounds, OfImplicitEulerAreAboveTheErrorAndClose) {
  const Json found = answer("analyse errors cubic.mo --steps 40");
  ASSERT_EQ(found["errors"].size(), 40u);
  EXPECT_EQ(found["bounded"], 40);
  EXPECT_EQ(found["differential"], Json({"y"}));
  EXPECT_NEAR(found["rate"], -1.0, 1e-2);
  EXPECT_TRUE(found["left_box_at"].is_null());
  for (std::size_t n = 1; n <= 40; ++n) {
    const Json& one = found["errors"][n - 1];
    const double t = 0.05 * n, y = std::pow(1.05, -static_cast<double>(n)), p = std::abs(y - std::exp(-t));
    EXPECT_NEAR(one["t"], t, 1e-12);
    EXPECT_NEAR(one["p"], p, 1e-9);
    EXPECT_NEAR(one["q"], std::abs(z_of(y) - z_of(std::exp(-t))), 1e-9);
    EXPECT_GE(one["p_bound"], p);
    EXPECT_LE(one["p_bound"], 1.02 * p);
    EXPECT_GE(one["q_bound"], one["q"]);
    EXPECT_LE(one["q_bound"], 4.0 * one["q"].get<double>());
  }
}

// Newton stopped early: the constraint's share shows, and the bound still holds.
TEST_F(ErrorBounds, KnowWhatALooseNewtonIterationCosts) {
  const Json tight = answer("analyse errors cubic.mo --steps 20 --method radau-iia-3");
  const Json loose = answer("analyse errors cubic.mo --steps 20 --method radau-iia-3 --newton 1e-2");
  EXPECT_GT(loose["errors"].back()["p_bound"].get<double>(), 2.0 * tight["errors"].back()["p_bound"].get<double>());
  for (const Json& one : loose["errors"]) {
    EXPECT_GE(one["p_bound"], one["p"]);
    EXPECT_GE(one["q_bound"], one["q"]);
    EXPECT_LT(one["p_bound"], 1e-2);
  }
}

// y' = -y without a constraint: the bound is the error, and nothing is said about Q. y' = 30 y by steps beyond 1 / 30:
// no bound, and no number stands for it.
TEST_F(ErrorBounds, OfOrdinaryDifferentialEquations) {
  write("decay.mo", "model decay\n  Real y(start = 1, fixed = true);\nequation\n  der(y) = -y;\nend decay;\n");
  const Json found = answer("analyse errors decay.mo --steps 10");
  const double error = std::pow(1.1, -10) - std::exp(-1.0);
  EXPECT_NEAR(found["errors"][9]["p"], error, 1e-11);
  EXPECT_NEAR(found["errors"][9]["p_bound"], error, 1e-9);
  EXPECT_NEAR(found["rate"], -1.0, 1e-12);
  const std::string text = driftless("analyse errors decay.mo --steps 10").out;
  EXPECT_TRUE(contains(text, "Deviations shrink at least like exp(-1 t) on the box.")) << text;
  EXPECT_FALSE(contains(text, "Q x")) << text;
  write("growth.mo", "model growth\n  Real y(start = 1, fixed = true);\nequation\n  der(y) = 30 * y;\nend growth;\n");
  const Json none = answer("analyse errors growth.mo --steps 10");
  EXPECT_EQ(none["bounded"], 0);
  EXPECT_NEAR(none["step_limit"], 1.0 / 30.0, 1e-12);
  for (const Json& one : none["errors"]) EXPECT_TRUE(one["p_bound"].is_null());
  EXPECT_EQ(answer("analyse errors growth.mo --steps 100")["bounded"], 100);
}

TEST_F(ErrorBounds, EndWhereTheBoxEnds) {
  const Json found = answer("analyse errors cubic.mo --steps 40 --box y=0.5:1.5,z=0.3:1");
  const std::size_t bounded = found["bounded"];
  EXPECT_GT(bounded, 5u);
  EXPECT_LT(bounded, 20u);  // exp(-t) = 0.5 at 0.69
  EXPECT_FALSE(found["errors"][bounded - 1]["p_bound"].is_null());
  EXPECT_TRUE(found["errors"][bounded]["p_bound"].is_null());
  EXPECT_NEAR(found["left_box_at"], 0.05 * static_cast<double>(bounded + 1), 1e-9);
  const Outcome outcome =
      driftless("analyse errors cubic.mo --steps 40 --box y=0.5:1.5,z=0.3:1 --csv b.csv --report b.html");
  EXPECT_TRUE(contains(outcome.out, "leaves the box before t = ")) << outcome.out;
  const auto rows = lines(file_text("b.csv"));
  EXPECT_EQ(rows[0], "time,error_p,bound_p,error_q,bound_q");
  ASSERT_EQ(rows.size(), 41u);
  EXPECT_TRUE(rows[40].ends_with(",")) << rows[40];
  EXPECT_TRUE(contains(file_text("b.html"), "Errors beside their bounds"));
}

// An own inner product: y and z measured in other units give the same errors in those units.
TEST_F(ErrorBounds, TakeANormByAMatrix) {
  write("G.csv", "z,y\n1,0\n0,100\n");
  const Json plain = answer("analyse errors cubic.mo --steps 10"),
             scaled = answer("analyse errors cubic.mo --steps 10 --norm G.csv");
  EXPECT_EQ(scaled["norm"], "inner-product norm");
  EXPECT_NEAR(scaled["errors"][9]["p"].get<double>() / plain["errors"][9]["p"].get<double>(), 10.0, 1e-9);
  EXPECT_NEAR(scaled["errors"][9]["p_bound"].get<double>() / plain["errors"][9]["p_bound"].get<double>(), 10.0, 0.1);
  EXPECT_NEAR(scaled["errors"][9]["q"].get<double>() / plain["errors"][9]["q"].get<double>(), 1.0, 1e-9);
}

struct Refusal {
  const char* arguments;
  int code;
  const char* message;
};

TEST_F(ErrorBounds, AreRefusedWithTheReason) {
  write("events.mo",
        "model events\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -2;\n  when x < 0 then reinit(x, 1); "
        "end when;\nend events;\n");
  for (const Refusal& refusal :
       {Refusal{"analyse errors problem:pendulum_schropp", 5, "has index 3"},
        Refusal{"analyse errors events.mo", 5, "has events"},
        Refusal{"analyse errors cubic.mo --method hem3", 2, "index 1 needs a method with a regular A"},
        Refusal{"analyse errors cubic.mo --steps 0", 2, "--steps needs at least one step"},
        Refusal{"analyse errors cubic.mo --t-end 0", 2, "--t-end 0 is not after the begin"},
        Refusal{"analyse errors cubic.mo --newton 0", 2, "--newton must be positive"},
        Refusal{"analyse errors cubic.mo --box 2:3", 2, "--box: the start is not inside it"},
        Refusal{"analyse errors cubic.mo --csv no/b.csv", 3, "no/b.csv"},
        Refusal{"solve problem:pendulum_schropp --error-bound", 5,
                "pendulum_schropp has index 3: --error-bound is for models of index 1"},
        Refusal{"solve cubic.mo --t-begin 1 --t-end 0 --error-bound", 2, "forward in time"}}) {
    const Outcome outcome = driftless(std::string(refusal.arguments) + " --json");
    EXPECT_EQ(outcome.exit_code, refusal.code) << refusal.arguments << outcome.err;
    EXPECT_TRUE(contains(outcome.err, refusal.message)) << refusal.arguments << outcome.err;
    EXPECT_TRUE(contains(Json::parse(outcome.out)["message"], refusal.message)) << outcome.out;
  }
}

struct Way {
  const char* options;
  double factor;  // the bound is at most so many times the largest error
};

TEST_F(ErrorBounds, OfARunAreAboveTheErrorAndSensible) {
  for (const Way& way : {Way{"--method implicit-euler --steps 40", 1.2}, Way{"--method radau-iia-2 --steps 20", 3.0},
                         Way{"--rtol 1e-4", 1e4}, Way{"--rtol 1e-6 --method radau5", 1e4}}) {
    SCOPED_TRACE(way.options);
    const Json run = answer(std::string("solve cubic.mo --error-bound ") + way.options);
    EXPECT_EQ(run["status"], "ok");
    const Json& bound = run["error_bound"];
    EXPECT_EQ(bound["valid"], true);
    EXPECT_EQ(bound["proved"], true);
    EXPECT_EQ(bound["valid_until"], 2.0);
    EXPECT_EQ(bound["at_end"], bound["bounds"].back());
    const double p = std::abs(run["final"]["y"].get<double>() - std::exp(-2.0));
    const double q = std::abs(run["final"]["z"].get<double>() - z_of(std::exp(-2.0)));
    EXPECT_GE(bound["at_end"]["p"], p);
    EXPECT_GE(bound["at_end"]["q"], q);
    EXPECT_NEAR(bound["at_end"]["total"], bound["at_end"]["p"].get<double>() + bound["at_end"]["q"].get<double>(),
                1e-18);
    EXPECT_LE(bound["at_end"]["p"], way.factor * std::max(p, 1e-13));
    EXPECT_TRUE(contains(bound["verdict"], "Errors are those of x = (")) << bound["verdict"];
  }
}

// The bound changes nothing about the run: the same rows, the same numbers.
TEST_F(ErrorBounds, LeaveTheRunAsItIs) {
  for (const char* rows : {"", "--grid 7", "--interval 0.3", "--every-step", "--method radau-iia-2 --steps 12 --grid 4",
                           "--method radau-iia-2 --steps 12"}) {
    SCOPED_TRACE(rows);
    EXPECT_EQ(driftless(std::string("solve cubic.mo --no-metadata -o a.csv ") + rows).exit_code, 0);
    EXPECT_EQ(driftless(std::string("solve cubic.mo --no-metadata -o b.csv --error-bound ") + rows).exit_code, 0);
    EXPECT_EQ(file_text("a.csv"), file_text("b.csv"));
  }
  const Json with = answer("solve cubic.mo --error-bound"), without = answer("solve cubic.mo");
  EXPECT_EQ(with["final"], without["final"]);
  EXPECT_EQ(with["statistics"], without["statistics"]);
  EXPECT_FALSE(without.contains("error_bound"));
  const std::string text = driftless("solve cubic.mo --error-bound --report page.html").out;
  EXPECT_TRUE(contains(text, "\n  error bound In the 2-norm, the error at t = 2 is at most ")) << text;
  EXPECT_TRUE(contains(file_text("page.html"), "In the 2-norm, the error at t = 2 is at most "));
}

// Behind an event nothing is bounded, and the run goes on.
TEST_F(ErrorBounds, OfARunEndAtTheFirstEvent) {
  write(
      "events.mo",
      "model events\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x - 1;\n  when x < 0 then reinit(x, 1); "
      "end when;\nend events;\n");
  const Json run = answer("solve events.mo --error-bound -o e.csv");  // x = 2 exp(-t) - 1, zero at ln 2
  EXPECT_EQ(run["t"], 1.0);
  EXPECT_EQ(run["error_bound"]["valid"], false);
  EXPECT_TRUE(run["error_bound"]["at_end"].is_null());
  EXPECT_NEAR(run["error_bound"]["valid_until"], std::log(2.0), 1e-5);
  EXPECT_TRUE(contains(run["error_bound"]["verdict"], "Behind t = 0.69314")) << run["error_bound"];
  for (const Json& at : run["error_bound"]["bounds"]) EXPECT_LE(at["t"], std::log(2.0) + 1e-5);
}

// y' = y^2 goes to infinity at t = 1: what outgrows every tube has no bound, and no number stands for it.
TEST_F(ErrorBounds, AreFiniteOrNotThere) {
  write("pole.mo",
        "model pole\n  Real y(start = 1, fixed = true);\nequation\n  der(y) = y^2;\n"
        "  annotation(experiment(StopTime = 0.999999));\nend pole;\n");
  for (const char* options : {"--rtol 1e-3", "--rtol 1e-6", "--method implicit-euler --steps 50"}) {
    SCOPED_TRACE(options);
    const Outcome outcome = driftless(std::string("solve pole.mo --error-bound --json ") + options);
    const Json run = Json::parse(outcome.out);
    if (!run.contains("error_bound")) continue;  // the run itself was refused
    const Json& bound = run["error_bound"];
    for (const Json& at : bound["bounds"])
      for (const char* part : {"t", "p", "q", "total"}) EXPECT_TRUE(at[part].is_number()) << at;
    EXPECT_EQ(bound["at_end"].is_null(), !bound["valid"].get<bool>());
    const std::string verdict = bound["verdict"];
    EXPECT_EQ(bound["bounds"].empty(), contains(verdict, "No error bound")) << verdict;
    EXPECT_FALSE(contains(verdict, " inf") || contains(verdict, "nan")) << verdict;
    // What is stated is true: y = 1 / (1 - t).
    if (!bound["valid"].get<bool>()) continue;
    const double t = run["t"], exact = 1.0 / (1.0 - t);
    EXPECT_GE(bound["at_end"]["p"], std::abs(run["final"]["y"].get<double>() - exact));
  }
}

}  // namespace
}  // namespace driftless::cli_test::error_bounds_test
