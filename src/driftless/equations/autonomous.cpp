// Time as one more unknown tau with tau' = 1. The functions take their time from there and ignore the one they are
// given, so that every column for it is zero.
#include <fmt/format.h>

#include "driftless/core/failure.h"
#include "driftless/equations/convert.h"
#include "driftless/equations/convert_parts.h"

namespace driftless {

namespace {

// Jacobians of the original have time in the last column; here it follows the first `before` columns, and the last is
// zero.
void move_time(ConstMatrixView original, std::size_t before, MatrixView j) {
  const std::size_t rows = original.rows, time = original.cols - 1;
  j.fill(0.0);
  add_block(original.block(0, 0, rows, before), 1.0, j.block(0, 0, rows, before));
  add_block(original.block(0, time, rows, 1), 1.0, j.block(0, before, rows, 1));
  add_block(original.block(0, before, rows, time - before), 1.0, j.block(0, before + 1, rows, time - before));
}

// The original equations, kept alive, with given or with automatic derivatives.
template <class Form>
class Original {
 public:
  Original(const Form& form, bool automatic)
      : form_(form), functions_(automatic ? &form_.automatic() : &form_.functions()) {}
  Original(const Original&) = delete;
  Original& operator=(const Original&) = delete;
  const typename Form::Functions* operator->() const { return functions_; }

 private:
  Form form_;
  const typename Form::Functions* functions_;
};

class AutonomousIndex1 final : public Index1::Functions {
 public:
  AutonomousIndex1(const Index1& form, bool automatic) : original_(form, automatic), n_(form.size()) {}

  void f(ConstSpan x, double, Span out) const override {
    original_->f(x.subspan(0, n_), x[n_], out.subspan(0, n_));
    out[n_] = 1.0;
  }
  void f_jacobian(ConstSpan x, double, MatrixView j) const override {
    Scratch scratch;
    const MatrixView part = take_matrix(scratch, n_, n_ + 1);
    original_->f_jacobian(x.subspan(0, n_), x[n_], part);
    move_time(part, n_, j);
  }

 private:
  Original<Index1> original_;
  std::size_t n_;
};

class AutonomousIndex2 final : public Index2::Functions {
 public:
  AutonomousIndex2(const Index2& form, bool automatic)
      : original_(form, automatic), n_(form.u_size()), m_(form.lambda_size()) {}

  bool has_gamma() const override { return original_->has_gamma(); }
  void gamma(ConstSpan u, double, MatrixView out) const override {
    out.fill(0.0);
    original_->gamma(u.subspan(0, n_), u[n_], out.block(0, 0, n_, n_));
    out(n_, n_) = 1.0;
  }
  void f(ConstSpan u, ConstSpan lambda, double, Span out) const override {
    original_->f(u.subspan(0, n_), lambda, u[n_], out.subspan(0, n_));
    out[n_] = 1.0;
  }
  void g(ConstSpan u, double, Span out) const override { original_->g(u.subspan(0, n_), u[n_], out); }
  void f_jacobian(ConstSpan u, ConstSpan lambda, double, MatrixView j) const override {
    Scratch scratch;
    const MatrixView part = take_matrix(scratch, n_, n_ + m_ + 1);
    original_->f_jacobian(u.subspan(0, n_), lambda, u[n_], part);
    move_time(part, n_, j);
  }
  void g_jacobian(ConstSpan u, double, MatrixView j) const override {
    Scratch scratch;
    const MatrixView part = take_matrix(scratch, m_, n_ + 1);
    original_->g_jacobian(u.subspan(0, n_), u[n_], part);
    move_time(part, n_, j);
  }
  void gamma_jacobian(ConstSpan u, double, ConstSpan w, MatrixView j) const override {
    Scratch scratch;
    const MatrixView part = take_matrix(scratch, n_, n_ + 1);
    original_->gamma_jacobian(u.subspan(0, n_), u[n_], w.subspan(0, n_), part);
    move_time(part, n_, j);
  }

 private:
  Original<Index2> original_;
  std::size_t n_, m_;
};

class AutonomousIndex3 final : public Index3::Functions {
 public:
  AutonomousIndex3(const Index3& form, bool automatic)
      : original_(form, automatic), n_(form.u_size()), p_(form.v_size()), m_(form.lambda_size()) {}

  void f(ConstSpan u, ConstSpan v, double, Span out) const override {
    original_->f(u.subspan(0, n_), v, u[n_], out.subspan(0, n_));
    out[n_] = 1.0;
  }
  void k(ConstSpan u, ConstSpan v, ConstSpan lambda, double, Span out) const override {
    original_->k(u.subspan(0, n_), v, lambda, u[n_], out);
  }
  void g(ConstSpan u, double, Span out) const override { original_->g(u.subspan(0, n_), u[n_], out); }
  void f_jacobian(ConstSpan u, ConstSpan v, double, MatrixView j) const override {
    Scratch scratch;
    const MatrixView part = take_matrix(scratch, n_, n_ + p_ + 1);
    original_->f_jacobian(u.subspan(0, n_), v, u[n_], part);
    move_time(part, n_, j);
  }
  void k_jacobian(ConstSpan u, ConstSpan v, ConstSpan lambda, double, MatrixView j) const override {
    Scratch scratch;
    const MatrixView part = take_matrix(scratch, p_, n_ + p_ + m_ + 1);
    original_->k_jacobian(u.subspan(0, n_), v, lambda, u[n_], part);
    move_time(part, n_, j);
  }
  void g_jacobian(ConstSpan u, double, MatrixView j) const override {
    Scratch scratch;
    const MatrixView part = take_matrix(scratch, m_, n_ + 1);
    original_->g_jacobian(u.subspan(0, n_), u[n_], part);
    move_time(part, n_, j);
  }
  void g_tangent_jacobian(ConstSpan u, double, ConstSpan du, double, MatrixView j) const override {
    Scratch scratch;
    const MatrixView part = take_matrix(scratch, m_, n_ + 1);
    original_->g_tangent_jacobian(u.subspan(0, n_), u[n_], du.subspan(0, n_), du[n_], part);
    move_time(part, n_, j);
  }
  void g_curvature(ConstSpan u, double, ConstSpan du, double, Span out) const override {
    original_->g_curvature(u.subspan(0, n_), u[n_], du.subspan(0, n_), du[n_], out);
  }

 private:
  Original<Index3> original_;
  std::size_t n_, p_, m_;
};

// The clock is a coordinate that no velocity moves: no reaction acts on it.
class AutonomousWide final : public WideMechanical::Functions {
 public:
  explicit AutonomousWide(const WideMechanical& form) : original_(form, false), n_(form.q_size()) {}

  bool has_mass() const override { return original_->has_mass(); }
  void mass(ConstSpan q, double, MatrixView out) const override { original_->mass(at(q), q[n_], out); }
  void rates(ConstSpan q, ConstSpan v, double, Span out) const override {
    original_->rates(at(q), v, q[n_], out.first(n_));
    out[n_] = 1.0;
  }
  void force(ConstSpan q, ConstSpan v, ConstSpan s, double, Span out) const override {
    original_->force(at(q), v, s, q[n_], out);
  }
  void states(ConstSpan q, ConstSpan v, ConstSpan s, double, Span out) const override {
    original_->states(at(q), v, s, q[n_], out);
  }
  void constraint(ConstSpan q, double, Span out) const override { original_->constraint(at(q), q[n_], out); }
  void velocity_rows(ConstSpan q, ConstSpan v, double, Span out) const override {
    original_->velocity_rows(at(q), v, q[n_], out);
  }
  void acceleration_rows(ConstSpan q, ConstSpan v, ConstSpan a, double, Span out) const override {
    original_->acceleration_rows(at(q), v, a, q[n_], out);
  }
  void directions(ConstSpan q, double, MatrixView c) const override { original_->directions(at(q), q[n_], c); }
  void position_invariants(ConstSpan q, double, Span out) const override {
    original_->position_invariants(at(q), q[n_], out);
  }
  void velocity_invariants(ConstSpan q, ConstSpan v, double, Span out) const override {
    original_->velocity_invariants(at(q), v, q[n_], out);
  }

  void rates_jacobian(ConstSpan q, ConstSpan v, double, MatrixView j) const override {
    j.fill(0.0);
    with_time(j.block(0, 0, n_, j.cols), [&](MatrixView part) { original_->rates_jacobian(at(q), v, q[n_], part); });
  }
  void force_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double, MatrixView j) const override {
    with_time(j, [&](MatrixView part) { original_->force_jacobian(at(q), v, s, q[n_], part); });
  }
  void states_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double, MatrixView j) const override {
    with_time(j, [&](MatrixView part) { original_->states_jacobian(at(q), v, s, q[n_], part); });
  }
  void constraint_jacobian(ConstSpan q, double, MatrixView j) const override {
    with_time(j, [&](MatrixView part) { original_->constraint_jacobian(at(q), q[n_], part); });
  }
  void velocity_jacobian(ConstSpan q, ConstSpan v, double, MatrixView j) const override {
    with_time(j, [&](MatrixView part) { original_->velocity_jacobian(at(q), v, q[n_], part); });
  }
  void position_invariants_jacobian(ConstSpan q, double, MatrixView j) const override {
    with_time(j, [&](MatrixView part) { original_->position_invariants_jacobian(at(q), q[n_], part); });
  }
  void velocity_invariants_jacobian(ConstSpan q, ConstSpan v, double, MatrixView j) const override {
    with_time(j, [&](MatrixView part) { original_->velocity_invariants_jacobian(at(q), v, q[n_], part); });
  }
  void acceleration_jacobian(ConstSpan q, ConstSpan v, ConstSpan a, double, MatrixView j) const override {
    with_time(j, [&](MatrixView part) { original_->acceleration_jacobian(at(q), v, a, q[n_], part); });
  }
  void momentum_jacobian(ConstSpan q, double, ConstSpan w, MatrixView j) const override {
    with_time(j, [&](MatrixView part) { original_->momentum_jacobian(at(q), q[n_], w, part); });
  }
  void reaction_jacobian(ConstSpan q, double, ConstSpan multipliers, MatrixView j) const override {
    with_time(j, [&](MatrixView part) { original_->reaction_jacobian(at(q), q[n_], multipliers, part); });
  }

 private:
  ConstSpan at(ConstSpan q) const { return q.first(n_); }
  template <class Fill>
  void with_time(MatrixView j, const Fill& fill) const {
    Scratch scratch;
    const MatrixView part = take_matrix(scratch, j.rows, j.cols - 1);
    fill(part);
    move_time(part, n_, j);
  }

  Original<WideMechanical> original_;
  std::size_t n_;
};

template <class Form, class Functions>
Form with_clock(const Form& form, typename Form::Shape shape) {
  std::shared_ptr<const Functions> automatic;
  if (&form.automatic() != &form.functions()) automatic = std::make_shared<const Functions>(form, true);
  return Form(std::move(shape), std::make_shared<const Functions>(form, false), automatic);
}

struct MakeAutonomous {
  Equations operator()(const Index1& form) const {
    const std::size_t n = form.size();
    auto projector = form.parts().p.entries();
    projector.push_back({static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n), 1.0});
    Index1::Shape shape{.projector = {n + 1, n + 1, std::move(projector)}};
    shape.x_names = joined(names_of(form.layout(), "x"), {"t"});
    shape.equation_names = joined(form.equation_names(), {"t"});
    return with_clock<Index1, AutonomousIndex1>(form, std::move(shape));
  }
  Equations operator()(const Index2& form) const {
    return with_clock<Index2, AutonomousIndex2>(form, {.u = form.u_size() + 1,
                                                       .lambda = form.lambda_size(),
                                                       .u_names = joined(names_of(form.layout(), "u"), {"t"}),
                                                       .lambda_names = names_of(form.layout(), "lambda"),
                                                       .constraint_names = form.constraint_names()});
  }
  Equations operator()(const Index3& form) const {
    return with_clock<Index3, AutonomousIndex3>(form, {.u = form.u_size() + 1,
                                                       .v = form.v_size(),
                                                       .lambda = form.lambda_size(),
                                                       .u_names = joined(names_of(form.layout(), "u"), {"t"}),
                                                       .v_names = names_of(form.layout(), "v"),
                                                       .lambda_names = names_of(form.layout(), "lambda"),
                                                       .constraint_names = form.constraint_names()});
  }
  Equations operator()(const Mechanical& form) const { return (*this)(as_index3(form)); }
  Equations operator()(const WideMechanical& form) const {
    WideMechanical::Shape shape = form.shape();
    shape.q += 1;
    shape.q_names.push_back("t");
    return WideMechanical(shape, std::make_shared<const AutonomousWide>(form));
  }
};

}  // namespace

Equations autonomous(const Equations& equations) { return std::visit(MakeAutonomous{}, equations); }

Vector autonomous_state(const Equations& equations, double t, ConstSpan state) {
  const Layout& layout = layout_of(equations);
  if (state.size() != layout.size())
    throw Misuse(
        fmt::format("conversion: the state has {} components, the equations have {}", state.size(), layout.size()));
  Vector result(state.begin(), state.end());
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(layout.blocks().front().size), t);  // after x, u or q
  return result;
}

}  // namespace driftless
