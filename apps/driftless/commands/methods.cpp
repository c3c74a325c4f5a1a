// driftless methods: what every method is good for, computed from its numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/contraction_report.h"
#include "apps/driftless/commands/method_choice.h"
#include "apps/driftless/model/tableau_file.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/json.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"
#include "apps/driftless/program/names.h"
#include "driftless/tableau/conditions.h"
#include "driftless/tableau/index2_order.h"
#include "driftless/tableau/properties.h"

namespace driftless::cli {

namespace {

struct MethodsRequest {
  std::string name;
  bool json = false, coefficients = false;
};

const char* kind_of(const Properties& properties) {
  if (properties.explicit_method) return "explicit";
  if (properties.singly_diagonal) return "singly diagonal";
  return properties.diagonally_implicit ? "diagonal" : "implicit";
}

std::string order_text(const Properties& properties) {
  return fmt::format("{}{}", properties.order, properties.order_is_exact ? "" : "+");
}

std::string limit_text(const Properties& properties) {
  return std::isnan(properties.r_infinity) ? "-" : fmt::format("{:.4g}", properties.r_infinity + 0.0);
}

// What the papers' theorems cover: 1, 2, 3, the index of the equations.
std::string indices(const Tableau& tableau, const Properties& properties) {
  if (properties.explicit_method) return conditions_half_explicit(tableau).overall.holds ? "2, 3 (half-explicit)" : "-";
  const ConditionVerdicts index2 = conditions_projected_index2(tableau);
  std::string text = index2.b1.holds ? "1" : "";
  if (index2.overall.holds) text += ", 2";
  if (conditions_projected_index3(tableau).overall.holds) text += ", 3";
  return text.empty() ? "-" : text;
}

void list_methods() {
  TextTable adaptive({{"adaptive"}, {"what"}});
  for (const AdaptiveEntry& entry : adaptive_methods()) adaptive.add({entry.name, entry.title});
  using Align = TextTable::Align;
  TextTable table({{"fixed steps"},
                   {"stages", Align::right},
                   {"order", Align::right},
                   {"stage order", Align::right},
                   {"R(infinity)", Align::right},
                   {"stiffly accurate"},
                   {"alg. stable"},
                   {"index"}});
  for (const std::string& name : tableau_names()) {
    const Tableau tableau = tableau_by_name(name);
    const Properties properties = properties_of(tableau);
    table.add({name, std::to_string(tableau.stages()), order_text(properties), std::to_string(properties.stage_order),
               limit_text(properties), properties.stiffly_accurate ? "yes" : "no",
               properties.algebraically_stable ? "yes" : "no", indices(tableau, properties)});
  }
  say("{}\n{}\n", adaptive.text(), table.text());
  say("{}", wrapped("`index`: for which equations the convergence theorems hold for a projected or half-explicit "
                    "method with multipliers from its stages. With --multiplier hidden, index 2 and 3 only need "
                    "an invertible matrix. `driftless methods NAME` has the reasons, and the orders for index 2.",
                    terminal_width()));
}

void print_verdicts(const char* title, const char* prime, const ConditionVerdicts& verdicts) {
  say("\n{}: {}\n", bold(title), verdicts.overall.holds ? "the conditions hold" : "excluded");
  const std::pair<const char*, const ConditionVerdict*> all[] = {
      {"B1", &verdicts.b1}, {"B2", &verdicts.b2}, {"B3", &verdicts.b3}};
  for (const auto& [name, verdict] : all)
    say("{}", labelled(fmt::format("  ({}{}) {}", name, prime, verdict->holds ? "yes" : "no"), verdict->reason,
                       terminal_width(), 13));
}

void print_orders(const Tableau& tableau, const Properties& properties) {
  const auto at_least = [](int order, int searched) {
    return order >= searched ? fmt::format("at least {}", order) : std::to_string(order);
  };
  try {
    if (properties.explicit_method) {
      const HalfExplicitOrders orders = half_explicit_orders(tableau);
      say("\n{}: {} for u, {} for lambda\n", bold("Orders for index 2, half-explicit"),
          at_least(orders.u, orders.searched), at_least(orders.lambda, orders.searched));
    } else {
      const Index2Orders orders = index2_orders(tableau);
      say("\n{}: {} for u, {} if lambda enters linearly, {} without projection; {} for lambda\n",
          bold("Orders for index 2, projected"), at_least(orders.u_projected, orders.searched),
          at_least(orders.u_projected_linear, orders.searched), at_least(orders.u, orders.searched),
          at_least(orders.lambda, orders.searched));
    }
  } catch (const Misuse& misuse) {
    say("\n{}: none. {}\n", bold("Orders for index 2"), misuse.what());
  }
}

void print_coefficients(const Tableau& tableau) {
  say("\n{}\n", bold("Coefficients: c | A, then b"));
  for (std::size_t i = 0; i <= tableau.stages(); ++i) {
    say("  {:>24}", i < tableau.stages() ? fmt::format("{}", tableau.c[i]) : "");
    for (std::size_t j = 0; j < tableau.stages(); ++j)
      say(" {:>24}", i < tableau.stages() ? tableau.a(i, j) : tableau.b[j]);
    say("\n");
  }
}

void print_tableau(const std::string& name, const Tableau& tableau, bool coefficients) {
  const Properties properties = properties_of(tableau);
  say("{}: {}\n\n", bold(name), title_of(tableau));
  const auto line = [&](const char* label, const std::string& content) {
    say("{}", labelled(label, content, terminal_width(), 24));
  };
  line("  source", tableau.citation);
  line("  kind", fmt::format("{}, {} stages", kind_of(properties), tableau.stages()));
  line("  order, stage order", fmt::format("{}, {}", order_text(properties), properties.stage_order));
  line("  R(infinity)", std::isnan(properties.r_infinity) ? properties.r_infinity_note : limit_text(properties));
  line("  stiffly accurate", properties.stiffly_accurate ? "yes" : "no");
  line("  algebraically stable", properties.algebraically_stable ? "yes" : "no");
  if (properties.explicit_method) {
    print_verdicts("Index 2 and mechanics, half-explicit", "'", conditions_half_explicit(tableau));
  } else {
    print_verdicts("Index 2, projected", "", conditions_projected_index2(tableau));
    print_verdicts("Index 3, projected", "", conditions_projected_index3(tableau));
  }
  print_orders(tableau, properties);
  say("{}", contraction_text(tableau));
  if (coefficients) print_coefficients(tableau);
}

// Orders for index 2; null where A, resp. the sub-diagonal of an explicit one, does not define a step.
Json orders_as_json(const Tableau& tableau, const Properties& properties) {
  try {
    if (properties.explicit_method) {
      const HalfExplicitOrders orders = half_explicit_orders(tableau);
      return {{"u", orders.u}, {"lambda", orders.lambda}, {"searched", orders.searched}};
    }
    const Index2Orders orders = index2_orders(tableau);
    return {{"u", orders.u_projected},
            {"u_linear", orders.u_projected_linear},
            {"u_without_projection", orders.u},
            {"lambda", orders.lambda},
            {"searched", orders.searched}};
  } catch (const Misuse&) {
    return nullptr;
  }
}

// What takes a moment is for one method alone.
void add_details(Json& object, const Tableau& tableau, const Properties& properties) {
  object["index2_orders"] = orders_as_json(tableau, properties);
  object.update(contraction_as_json(tableau));
}

Json as_json(const std::string& name, const Tableau& tableau, bool details, bool coefficients) {
  const Properties p = properties_of(tableau);
  Json object = {{"name", name},
                 {"title", title_of(tableau)},
                 {"source", tableau.citation},
                 {"kind", kind_of(p)},
                 {"stages", tableau.stages()},
                 {"order", p.order},
                 {"stage_order", p.stage_order},
                 {"r_infinity", p.r_infinity},
                 {"stiffly_accurate", p.stiffly_accurate},
                 {"algebraically_stable", p.algebraically_stable}};
  const auto conditions = [](const ConditionVerdicts& v) {
    return Json{{"b1", v.b1.holds}, {"b2", v.b2.holds}, {"b3", v.b3.holds}, {"reason", v.overall.reason}};
  };
  if (p.explicit_method) {
    object["half_explicit"] = conditions(conditions_half_explicit(tableau));
  } else {
    object["index2"] = conditions(conditions_projected_index2(tableau));
    object["index3"] = conditions(conditions_projected_index3(tableau));
  }
  if (details) add_details(object, tableau, p);
  if (!coefficients) return object;
  const Json numbers = coefficients_as_json(tableau);
  object["a"] = numbers["A"];
  object["b"] = numbers["b"];
  object["c"] = numbers["c"];
  return object;
}

Json as_json(const AdaptiveEntry& entry) {
  return {{"name", entry.name}, {"title", entry.title}, {"kind", "adaptive"}, {"details", entry.details}};
}

ExitCode own_method(const MethodsRequest& request) {
  const Tableau tableau = tableau_from_file(request.name);
  if (request.json)
    answer(as_json(request.name, tableau, true, request.coefficients));
  else
    print_tableau(request.name, tableau, request.coefficients);
  return ExitCode::ok;
}

ExitCode methods(const MethodsRequest& request) {
  if (names_tableau_file(request.name)) return own_method(request);
  const auto tableaux = tableau_names();
  const std::string name = canonical(request.name);
  const AdaptiveEntry* adaptive = find_adaptive(name);
  const bool is_tableau = std::find(tableaux.begin(), tableaux.end(), name) != tableaux.end();
  if (!name.empty() && adaptive == nullptr && !is_tableau) choose_method(name, false);  // says what it thinks of it
  if (request.json) {
    Json all = Json::array();
    for (const AdaptiveEntry& entry : adaptive_methods())
      if (name.empty() || name == entry.name) all.push_back(as_json(entry));
    for (const std::string& one : tableaux)
      if (name.empty() || name == one)
        all.push_back(as_json(one, tableau_by_name(one), !name.empty(), request.coefficients));
    answer(name.empty() || all.size() > 1 ? all : all[0]);
    return ExitCode::ok;
  }
  if (name.empty()) list_methods();
  if (adaptive != nullptr)
    say("{}: {}\n\n{}", bold(adaptive->name), adaptive->title, wrapped(adaptive->details, terminal_width()));
  if (adaptive != nullptr && is_tableau) say("\nWith fixed steps (--steps, --step-size), half-explicitly:\n\n");
  if (is_tableau) print_tableau(name, tableau_by_name(name), request.coefficients);
  return ExitCode::ok;
}

}  // namespace

Command methods_command() {
  const auto request = std::make_shared<MethodsRequest>();
  return {
      .name = "methods",
      .summary = "the methods, and what each is good for",
      .details =
          "Without an argument: two tables, the methods that choose their steps and those for fixed steps. "
          "Nothing in them is declared: order, stability and conditions are computed from the coefficients.\n"
          "Coefficients of your own are a file {\"A\": [[\"1/4\", 0], [\"1/2\", \"1/4\"]], \"b\": [\"1/2\", "
          "\"1/2\"]}, numbers or fractions; \"c\", if it is there, is A 1. `solve --method FILE.json --steps N` and "
          "the analyses take it, too (docs/methods.md).",
      .examples =
          "driftless methods\n"
          "driftless methods radau-iia-3\n"
          "driftless methods hem5 --coefficients\n"
          "driftless methods mine.json                  # what your own numbers are good for",
      .options = {{.name = "NAME",
                   .target = &request->name,
                   .text = "one of them, or FILE.json with a tableau of your own",
                   .words = method_names,
                   .file_endings = {".json"}},
                  option("--coefficients", &request->coefficients, "its numbers, too"),
                  option("--json", &request->json, "for programs")},
      .run = [request] { return methods(*request); }};
}

}  // namespace driftless::cli
