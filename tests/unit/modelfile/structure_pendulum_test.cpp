// The pendulum in many disguises: it must always be found to be of index 3 and to move in the same way.
#include <algorithm>
#include <numeric>
#include <random>

#include "flat_builder.h"
#include "run_model.h"

namespace driftless::testing_models::structure_pendulum_test {
namespace {

constexpr double mass = 1.7, length = 1.3, gravity = 9.81;

// m x'' = -lambda x, m y'' = -lambda y - m g, x^2 + y^2 = L^2; written differently for every seed.
class Disguise {
 public:
  explicit Disguise(unsigned seed) : random_(seed) {}

  FlatModel model() {
    declare();
    for (const std::string axis : {"x", "y"}) add_axis(axis);
    add_constraint();
    add_results();
    std::ranges::shuffle(pending_, random_);
    for (const Pending& p : pending_) m_.equation(p.left, p.right, p.text);
    return m_.finish();
  }

 private:
  struct Pending {
    Formula left, right;
    std::string text;
  };

  bool coin() { return random_() % 2 == 0; }
  double factor() { return (coin() ? 1.0 : -1.0) * std::uniform_real_distribution(0.4, 2.5)(random_); }

  void add(Formula left, Formula right, const std::string& text) {
    if (coin()) std::swap(left, right);
    if (coin()) {
      const double c = factor();
      left = c * left;
      right = c * right;
    }
    if (coin()) {
      right = right - left;
      left = m_.number(0.0);
    }
    pending_.push_back({left, right, text});
  }

  void declare() {
    std::vector<std::string> names{"x", "y", "vx", "vy", "lambda"};
    std::ranges::shuffle(names, random_);
    for (const auto& name : names) {
      Attributes attributes;
      if (name == "x") attributes = {.start = 0.6 * length, .fixed = true};
      if (name == "y") attributes = {.start = -0.7 * length};
      if (name == "vx") attributes = {.start = 0.5, .fixed = true};
      m_.variable(name, attributes);
    }
  }

  // The variable itself, or an alias of it that is made up here.
  Formula use(const std::string& name) {
    if (random_() % 3 != 0) return m_.of(name);
    const std::string alias = name + "_" + std::to_string(aliases_++);
    const Formula a = m_.variable(alias);
    switch (random_() % 4) {
      case 0: add(a, m_.of(name), alias + " = " + name); return a;
      case 1: add(a + m_.of(name), m_.number(0.0), alias + " + " + name + " = 0"); return -a;
      case 2: add(a, 2.0 * m_.of(name) + 0.25, alias + " = 2*" + name + " + 0.25"); return (a - 0.25) / 2.0;
      default: {
        const Formula b = m_.variable(alias + "b");
        add(a, b, alias + " = b");
        add(b, m_.of(name), "b = " + name);
        return a;
      }
    }
  }

  // der(name), directly or of an alias, or as a variable.
  Formula rate(const std::string& name) {
    Formula d = m_.der(name);
    if (random_() % 4 == 0) {
      const std::string alias = name + "_s" + std::to_string(aliases_++);
      m_.variable(alias);
      add(m_.of(alias), -3.0 * m_.of(name), alias + " = -3*" + name);
      d = m_.der(alias) / -3.0;
    }
    if (random_() % 3 != 0) return d;
    const std::string as = name + "_dot" + std::to_string(aliases_++);
    const Formula a = m_.variable(as);
    add(a, d, as + " = der(" + name + ")");
    return a;
  }

  void add_axis(const std::string& axis) {
    const std::string v = "v" + axis;
    if (coin()) {
      add(rate(axis), use(v), "der(" + axis + ") = " + v);
    } else {  // momentum
      const std::string p = "p" + axis;
      m_.variable(p);
      add(m_.of(p), mass * rate(axis), p + " = m*der(" + axis + ")");
      add(use(v), m_.of(p) / mass, v + " = " + p + "/m");
    }
    const double weight = axis == "y" ? -mass * gravity : 0.0;
    const Formula pull = -use("lambda") * use(axis) + weight;
    switch (random_() % 3) {
      case 0: add(mass * rate(v), pull, "m*der(v) = F"); break;
      case 1: add(rate(v), pull / mass, "der(v) = F/m"); break;
      default: {
        const Formula force = m_.variable("F" + axis);
        add(force, pull, "F = -lambda*" + axis);
        add(mass * rate(v) - force, m_.number(0.0), "m*der(v) - F = 0");
      }
    }
  }

  void add_constraint() {
    const Formula sum = square(use("x")) + square(use("y"));
    switch (random_() % 4) {
      case 0: add(sum, m_.number(length * length), "x^2 + y^2 = L^2"); break;
      case 1: add(sqrt(sum), m_.number(length), "sqrt(x^2 + y^2) = L"); break;
      case 2: {
        const Formula r2 = m_.variable("r2");
        add(r2, sum, "r2 = x^2 + y^2");
        add(r2 / (length * length), m_.number(1.0), "r2/L^2 = 1");
        break;
      }
      default: add(log(sum), m_.number(2.0 * std::log(length)), "log(x^2 + y^2) = 2*log(L)");
    }
  }

  void add_results() {
    if (coin()) {
      const Formula energy = m_.variable("energy");
      add(energy, 0.5 * mass * (square(use("vx")) + square(use("vy"))) + mass * gravity * use("y"), "energy = ...");
    }
    if (coin()) {
      const Formula speed = m_.variable("ax");
      add(speed, rate("vx"), "ax = der(vx)");
    }
  }

  std::mt19937 random_;
  FlatBuilder m_;
  std::vector<Pending> pending_;
  int aliases_ = 0;
};

TEST(PendulumInDisguise, IsFoundToBeOfIndex3AndMovesInTheSameWay) {
  std::map<std::string, int> forms;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const CompiledModel model = compiled(Disguise(seed).model());
    EXPECT_EQ(model.index(), 3);
    ++forms[model.form().substr(0, model.form().find(' '))];
    const ModelStart start = model.start();
    ASSERT_TRUE(start.ok()) << text_of(start.errors);
    Vector all(model.variables().size());
    model.results(start.held)(start.time, start.state, all);
    std::map<std::string, double> at;
    for (std::size_t k = 0; k < all.size(); ++k) at[model.variables()[k].name] = all[k];
    EXPECT_NEAR(at["x"], 0.6 * length, 1e-13);
    EXPECT_NEAR(at["y"], -0.8 * length, 1e-13);
    EXPECT_NEAR(at["vx"], 0.5, 1e-13);
    EXPECT_NEAR(at["vy"], 0.375, 1e-12);
    const double lambda = mass * (0.25 + 0.375 * 0.375 + gravity * 0.8 * length) / (length * length);
    EXPECT_NEAR(at["lambda"], lambda, 1e-11);
    if (at.contains("ax")) {
      EXPECT_NEAR(at["ax"], -lambda * 0.6 * length / mass, 1e-11);
    }
    const auto residuals = constraint_residuals(model.equations(start.held), start.time, start.state);
    for (int level : {1, 2, 3}) EXPECT_LT(residuals.largest(level), 1e-11);
  }
  EXPECT_EQ(forms["mechanical"], 200);  // also where the constraint is not the potential of its reaction
}

TEST(PendulumInDisguise, ReachesTheSameEnd) {
  std::map<std::string, double> first;
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const RunResult r = run(compiled(Disguise(seed).model()), 2.0, 1e-11);
    if (seed == 0) first = r.values;
    for (const char* name : {"x", "y", "vx", "vy", "lambda"})
      EXPECT_NEAR(r.values.at(name), first.at(name), 2e-9) << name;
  }
}

}  // namespace
}  // namespace driftless::testing_models::structure_pendulum_test
