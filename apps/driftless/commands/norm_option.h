// --norm and --transform: the norm in which stability is measured, by a name, or by a matrix in a file.
#pragma once

#include "apps/driftless/model/matrix_file.h"
#include "apps/driftless/program/command_line.h"
#include "driftless/analysis/stability/vector_norm.h"

namespace driftless::cli {

struct NormRequest {
  std::string norm = "2", transform;
  std::string text() const;  // in words, with the file that it is from; empty for the norms with names
};
std::vector<Option> norm_options(NormRequest& request);

// Of vectors with these components. A line of names in the file says which column is which; without it they are in the
// order given here. Stop unless the matrix of an inner product is symmetric and positive definite, another one regular.
Norm norm_from(const NormRequest& request, const Names& components);

}  // namespace driftless::cli
