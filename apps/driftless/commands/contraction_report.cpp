#include "apps/driftless/commands/contraction_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/output/terminal.h"
#include "driftless/analysis/stability/b_stability.h"
#include "driftless/analysis/stability/stage_monotonicity.h"
#include "driftless/tableau/properties.h"

namespace driftless::cli {

namespace {

Json rows_of(const Matrix& m) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < m.rows(); ++i) {
    rows.push_back(Json::array());
    for (std::size_t j = 0; j < m.cols(); ++j) rows.back().push_back(json_number(m(i, j)));
  }
  return rows;
}

std::string list_of(ConstSpan values) {
  std::vector<std::string> words;
  for (const double x : values) words.push_back(fmt::format("{:.6g}", x + 0.0));
  return fmt::format("({})", fmt::join(words, ", "));
}

std::string certificate_text(const StabilityCertificate& c, const Tableau& tableau) {
  std::string text = c.verdict;
  if (!c.negative_weight && !c.witness.empty()) text += ", y = " + list_of(c.witness);
  for (std::size_t i = 0; i < c.factor.rows(); ++i) {
    Vector row(c.factor.cols());
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = c.factor(i, j);
    text += fmt::format("{} {}", i == 0 ? ", F =" : ",", list_of(row));
  }
  return text + (check(c, tableau) ? "" : ". The certificate does not stand its check");
}

Json certificate_json(const StabilityCertificate& c, const Tableau& tableau) {
  Json object = {{"algebraically_stable", c.algebraically_stable},
                 {"verdict", c.verdict},
                 {"checked", check(c, tableau)},
                 {"m", rows_of(c.m)}};
  if (c.algebraically_stable) {
    object["factor"] = rows_of(c.factor);
    object["residual"] = json_number(c.residual);
  }
  if (c.negative_weight) object["negative_weight"] = *c.negative_weight + 1;  // counted from 1, as b_1
  if (!c.witness.empty()) {
    object["witness"] = json_numbers(c.witness);
    object["witness_value"] = json_number(c.witness_value);
  }
  return object;
}

// 0 where rounding is all that is left.
double clean(double x) { return std::abs(x) < 1e-13 ? 0.0 : x; }

// The formula without the family that it is known from: other tableaux have it, too, and one stage needs none.
std::string formula_of(const StageMonotonicity& m) {
  if (m.diagonal.size() < 2) return {};
  return m.formula.rfind("D = ", 0) == 0 ? m.formula.substr(0, m.formula.find(',')) : m.formula;
}

std::string monotonicity_text(const StageMonotonicity& m) {
  std::string text = fmt::format("{:.10g}", clean(m.value));
  text += fmt::format(" for D = diag{}", list_of(m.diagonal));
  if (const std::string formula = formula_of(m); !formula.empty()) text += fmt::format("; {}", formula);
  if (!m.attained) text += fmt::format("; no D gives more than {:.6g}", clean(m.supremum));
  return text;
}

Json monotonicity_json(const StageMonotonicity& m) {
  return {{"value", json_number(clean(m.value))},
          {"diagonal", json_numbers(m.diagonal)},
          {"supremum", json_number(clean(m.supremum))},
          {"attained", m.attained},
          {"formula", formula_of(m)}};
}

// The stages have one solution if h rate < m_D.
std::string monotonicity_meaning(const StageMonotonicity& m) {
  const double value = clean(m.value);
  if (value < 0.0)
    return fmt::format("In norms of inner products, stages have exactly one solution if h rate < {:.6g}.", value);
  if (value == 0.0)
    return "In norms of inner products, stages have exactly one solution for every step size if deviations shrink, "
           "that is, if the rate is below 0; nothing is said for other rates.";
  return fmt::format(
      "In norms of inner products, stages have exactly one solution while h rate < {:.6g}; for every step size if "
      "deviations do not grow.",
      value);
}

}  // namespace

std::string contraction_text(const Tableau& tableau) {
  const std::size_t width = terminal_width();
  std::string text = fmt::format("\n{}\n", bold("Contraction (docs/stability.md)"));
  const auto line = [&](const char* label, const std::string& content) { text += labelled(label, content, width, 24); };
  line("  certificate", certificate_text(certify_algebraic_stability(tableau), tableau));
  if (!properties_of(tableau).invertible) {
    line("  m_D[A^-1]", "none: A is singular");
    return text;
  }
  const StageMonotonicity inner = stage_monotonicity(tableau);
  line("  m_D[A^-1]", monotonicity_text(inner));
  line("  in any norm", monotonicity_text(stage_monotonicity_in_any_norm(tableau)));
  return text + labelled("", monotonicity_meaning(inner), width, 24);
}

Json contraction_as_json(const Tableau& tableau) {
  Json object = {{"certificate", certificate_json(certify_algebraic_stability(tableau), tableau)}};
  if (properties_of(tableau).invertible)
    object["stage_monotonicity"] = {{"inner_product", monotonicity_json(stage_monotonicity(tableau))},
                                    {"any_norm", monotonicity_json(stage_monotonicity_in_any_norm(tableau))}};
  else
    object["stage_monotonicity"] = nullptr;
  return object;
}

}  // namespace driftless::cli
