// y' = F(y, z, t), 0 = G(y, z, t) as one system with a projector.
#include <algorithm>

#include "driftless/equations/index1_model.h"

namespace driftless::detail {

std::size_t y_count(const PartitionedShape& shape) { return shape.y > 0 ? shape.y : shape.y_names.size(); }

std::size_t z_count(const PartitionedShape& shape) {
  return shape.z > 0 ? shape.z : std::max(shape.z_names.size(), shape.constraint_names.size());
}

Index1::Shape whole_shape(const PartitionedShape& shape) {
  const std::size_t n = y_count(shape), m = z_count(shape);
  Index1::Shape whole{.projector = ConstantMatrix::leading_identity(n + m, n)};
  whole.x_names = complete_names("y", n, shape.y_names);
  whole.equation_names = complete_names("F", n, {});
  for (const auto& name : complete_names("z", m, shape.z_names)) whole.x_names.push_back(name);
  for (const auto& name : complete_names("G", m, shape.constraint_names)) whole.equation_names.push_back(name);
  return whole;
}

}  // namespace driftless::detail
