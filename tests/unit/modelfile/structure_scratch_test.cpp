#include <gtest/gtest.h>
#include "driftless/integrate/solve.h"
#include "driftless/modelfile/model_equations.h"
#include "flat_builder.h"

namespace driftless::testing_models {
namespace {

FlatModel pendulum() {
  FlatBuilder m;
  auto x = m.variable("x", {.start = 1.0}), y = m.variable("y"), vx = m.variable("vx"), vy = m.variable("vy"), l = m.variable("lambda");
  m.equation(m.der("x"), vx, "der(x) = vx");
  m.equation(m.der("y"), vy, "der(y) = vy");
  m.equation(m.der("vx"), -l * x, "der(vx) = -lambda*x");
  m.equation(m.der("vy"), -l * y - 1.0, "der(vy) = -lambda*y - 1");
  m.equation(square(x) + square(y), 1.0, "x^2 + y^2 = 1");
  return m.finish();
}
FlatModel pendulum2() {
  FlatBuilder m;
  auto x = m.variable("x", {.start = 1.0}), y = m.variable("y"), vx = m.variable("vx"), vy = m.variable("vy"), l = m.variable("lambda");
  m.equation(m.der("x"), vx, "der(x) = vx");
  m.equation(m.der("y"), vy, "der(y) = vy");
  m.equation(m.der("vx"), -l * x, "der(vx) = -lambda*x");
  m.equation(m.der("vy"), -l * y - 1.0, "der(vy) = -lambda*y - 1");
  m.equation(x*m.der("x")+ y*m.der("y"), 0.0, "x*der(x)+y*der(y)=0");
  return m.finish();
}
FlatModel phi() {
  FlatBuilder m;
  auto x = m.variable("x", {.start = 1.0}), y = m.variable("y"), vx = m.variable("vx"), vy = m.variable("vy"), F = m.variable("F"), p = m.variable("phi", {.start=1.57});
  auto ax=m.variable("ax"), ay=m.variable("ay");
  m.equation(x, sin(p), "x = sin(phi)");
  m.equation(y, -cos(p), "y = -cos(phi)");
  m.equation(m.der("x"), vx, "der(x) = vx");
  m.equation(m.der("y"), vy, "der(y) = vy");
  m.equation(m.der("vx"), ax, "");
  m.equation(m.der("vy"), ay, "");
  m.equation(ax, -F * sin(p), "der(vx) = -lambda*x");
  m.equation(ay, F * cos(p) - 1.0, "der(vy) = -lambda*y - 1");
  return m.finish();
}
void show(FlatModel model) {
  try {
  Reduction r = reduce(std::move(model));
  for (auto& u : r.unknowns) fmt::print("unknown {} {}\n", u.name, u.differentiated);
  for (auto& row : r.rows) fmt::print("row {}\n", quote(r.model, row));
  for (auto& [s, e] : r.values) fmt::print("gone slot {}\n", s);
  FormPlan plan = plan_form(r);
  fmt::print("index {} form {}\n", plan.index, plan.form.index());
  auto e = make_model_equations(r, plan, {}, Engine::automatic)->equations({});
  fmt::print("layout:"); for (auto& n : layout_of(e).names()) fmt::print(" {}", n); fmt::print("\n");
  Vector start(layout_of(e).size()); start[0] = 1.0;
  if (start.size() > 6) start[2]=1.57;
  auto s = solve(e, start, {.span = {0, 10}, .tolerance = {.relative = 1e-10, .absolute = 1e-10}});
  for (double z : s.state(s.size()-1)) fmt::print(" {:.12g}", z);
  fmt::print("  steps {} \n", s.statistics().steps);
  } catch (Refusal& f) { for (auto& x : f.findings) fmt::print("REFUSED {}:{}\n {}\n", x.place.line, x.message, x.suggestion); }
}
TEST(Scratch, Show) { show(pendulum()); show(pendulum2()); show(phi()); }
}  // namespace
}  // namespace driftless::testing_models
