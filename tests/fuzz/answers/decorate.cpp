#include "decorate.h"

namespace driftless::fuzz {

void add_aliases(Model& model, Random& random) {
  const std::size_t count = model.unknowns.size();
  for (std::size_t i = 0; i < count; ++i) {
    Unknown& u = *model.unknowns[i];
    if (!random.chance(0.2) || u.type != "Real" || u.role == Role::discrete || u.name.ends_with(']')) continue;
    const double factor = random.chance(0.3) ? random.sign() * random.real(0.2, 5.0) : random.sign();
    Unknown& w = model.add("o", u.role, factor * Formula(u));
    w.smooth = u.smooth;
    w.compared = u.compared;
    for (Equation& equation : model.equations) {
      if (random.chance(0.5)) equation.left = replaced(equation.left, u, Formula(w) / factor);
      if (random.chance(0.5)) equation.right = replaced(equation.right, u, Formula(w) / factor);
    }
    if (random.chance(0.5))
      model.equate(w, factor * Formula(u));
    else
      model.equate(w - factor * Formula(u), 0.0);
    if (random.chance(0.4)) {
      std::swap(w.start, u.start);
      w.nearby = u.nearby;
    } else if (u.start != Start::none && u.start != Start::nearby && random.chance(0.4)) {
      w.start = Start::stated;
    }
  }
}

void add_couplings(Model& model, Random& random) {
  for (Equation& equation : model.equations) {
    if (equation.coupling == Coupling::none || equation.others == 0 || !random.chance(0.15)) continue;
    const Unknown& other =
        *model.unknowns[static_cast<std::size_t>(random.integer(0, static_cast<int>(equation.others) - 1))];
    const bool allowed = equation.coupling == Coupling::anything || other.free;
    if (!allowed || !other.smooth || !other.compared || other.type != "Real") continue;
    const Formula term =
        random.real(0.02, 0.2) * (Formula(other) - (random.chance(0.5) ? of_time(other) : of_clocks(other)));
    equation.right = equation.right + term;
    if (other.free) continue;
    for (std::size_t i = equation.others; i < model.unknowns.size(); ++i) model.unknowns[i]->free = false;
  }
}

void choose_units(Model& model, Random& random) {
  const bool one_for_all = random.chance(0.3);
  const double unit = std::pow(10.0, random.integer(-20, 12));
  for (auto& unknown : model.unknowns) {
    const bool plain = unknown->named_in_text || unknown->type != "Real" || unknown->name.ends_with(']');
    if (plain || (!one_for_all && !random.chance(0.3))) continue;
    const int range = random.chance(0.5) ? 3 : 12;
    unknown->unit = one_for_all ? unit : std::pow(10.0, random.integer(-range, range));
    unknown->nominal = true;
  }
}

}  // namespace driftless::fuzz
