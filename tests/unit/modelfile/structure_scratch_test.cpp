#include "flat_builder.h"
#include "run_model.h"

namespace driftless::testing_models {
namespace {

FlatModel pendulum() {
  FlatBuilder m;
  auto x = m.variable("x", {.start = 1.0}), y = m.variable("y"), vx = m.variable("vx"), vy = m.variable("vy"), l = m.variable("lambda");
  auto a = m.variable("a");
  m.equation(a, m.der("vx"), "a=der(vx)");
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
FlatModel bounce() {
  FlatBuilder m;
  auto h = m.variable("h", {.start = 1.0, .fixed=true}), v = m.variable("v", {.start=0.0, .fixed=true});
  m.equation(m.der("h"), v, "der(h) = v");
  m.equation(m.der("v"), m.number(-9.81), "der(v) = -9.81");
  auto hit = m.relation(h, m.number(0), "h < 0");
  m.when(hit, {m.action(FlatAction::Kind::reinit, "v", -0.8*v)});
  return m.finish();
}
FlatModel hlr() {
  FlatBuilder m;
  const auto y1 = m.variable("y1", {.start = 1.0}), y2 = m.variable("y2", {.start = 1.0}), z1 = m.variable("z1", {.start = 1.0}),
             z2 = m.variable("z2", {.start = 1.0}), l = m.variable("l");
  m.equation(m.der("y1"), 2.0 * y1 * y2 * z1 * z2, "1");
  m.equation(m.der("y2"), -y1 * y2 * square(z2), "2");
  m.equation(m.der("z1"), (y1 * y2 + z1 * z2) * l, "3");
  m.equation(m.der("z2"), -y1 * square(y2) * square(z2) * l, "4");
  m.equation(y1 * square(y2), 1.0, "y1*y2^2 = 1");
  return m.finish();
}
FlatModel fixedx() {
  FlatBuilder m;
  auto x = m.variable("x", {.start = 0.6, .fixed=true}), y = m.variable("y"), vx = m.variable("vx"), vy = m.variable("vy"), l = m.variable("lambda");
  m.equation(m.der("x"), vx, "der(x) = vx");
  m.equation(m.der("y"), vy, "der(y) = vy");
  m.equation(m.der("vx"), -l * x, "der(vx) = -lambda*x");
  m.equation(m.der("vy"), -l * y - 1.0, "der(vy) = -lambda*y - 1");
  m.equation(square(x) + square(y), 1.0, "x^2 + y^2 = 1");
  m.initial(m.der("x"), 0.3, "der(x)=0.3");
  return m.finish();
}
void show(FlatModel model, double end) {
  try {
    auto c = compiled(std::move(model));
    fmt::print("index {}: {}\n", c.index(), c.form());
    for (auto& v : c.variables()) fmt::print("  {} {} {}\n", v.name, name_of(v.role), v.of);
    for (auto& v : c.constraints()) fmt::print("  {} {} {}\n", v.text, v.level, v.scale);
    auto s = c.start();
    for (auto& v : s.values) fmt::print("  {} {} -> {:.17g} {} {}\n", v.name, v.given, v.found, v.fixed, v.stated);
    auto r = run(c, end);
    for (auto& [n, v] : r.values) fmt::print(" {}={:.12g}", n, v);
    fmt::print("\n events {}\n", r.events);
  } catch (std::exception& f) { fmt::print("REFUSED {}\n", f.what()); }
}
TEST(Scratch, Show) { show(hlr(), 1); return; show(pendulum(),10); show(pendulum2(),10); show(phi(),10); show(bounce(), 3); show(fixedx(), 1); }
}  // namespace
}  // namespace driftless::testing_models
