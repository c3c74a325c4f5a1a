// The factories of index1_model.h for models whose formulas are also called with intervals, so that f and its Jacobian
// can be enclosed on a box: enclosed_index1, enclosed_partitioned, enclosed_implicit_index1. They take longer to
// compile, which is why one asks for them.
#pragma once

#include "driftless/autodiff/enclosing.h"
#include "driftless/equations/index1_model.h"

namespace driftless {

namespace detail {

template <class Model>
class EnclosedIndex1 final : public GivenIndex1<Model> {
 public:
  using GivenIndex1<Model>::GivenIndex1;

  bool encloses() const override { return true; }
  void enclose(std::span<const Interval> x, const Interval& t, std::span<Interval> f,
               BasicMatrixView<Interval> j) const override {
    Scratch scratch;
    const auto arguments = scratch.take<Interval>(x.size() + 1);
    std::copy(x.begin(), x.end(), arguments.begin());
    arguments.back() = t;
    enclose_jacobian(this->f_formula(), arguments, f, j);
  }
};

}  // namespace detail

template <class Model>
Index1 enclosed_index1(Model model, Index1::Shape shape) {
  const std::size_t n = shape.projector.rows();
  auto functions = std::make_shared<const detail::EnclosedIndex1<Model>>(model, n);
  if constexpr (detail::GivenIndex1<Model>::gives_any)
    return Index1(std::move(shape), functions, std::make_shared<const detail::AutomaticIndex1<Model>>(model, n));
  else
    return Index1(std::move(shape), functions);
}

template <class Model>
Index1 enclosed_partitioned(Model model, const PartitionedShape& shape) {
  return enclosed_index1(detail::Partitioned<Model>{std::move(model), detail::y_count(shape), detail::z_count(shape)},
                         detail::whole_shape(shape));
}

template <class Model>
Index1 enclosed_implicit_index1(Model model, const ConstantMatrix& a, const Names& x_names = {}) {
  BlockProjectorForm form = block_projector_form(a);
  return enclosed_index1(detail::Transformed<Model>{std::move(model), std::move(form.transform)},
                         {.projector = std::move(form.projector), .x_names = x_names});
}

}  // namespace driftless
