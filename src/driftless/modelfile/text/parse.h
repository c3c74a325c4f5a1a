// From words to the tree of what is written.
#pragma once

#include "driftless/modelfile/text/diagnostic.h"
#include "driftless/modelfile/text/syntax.h"

namespace driftless {

// Reads the first source of the tree. After an error it goes on with the next declaration or equation, so that one
// reading finds many.
void parse_model_text(SyntaxTree& tree, Diagnostics& diagnostics);

// Reads another source, which holds a package, into the root of the tree.
void parse_package_text(SyntaxTree& tree, std::uint16_t number, Diagnostics& diagnostics);

// An expression that is all of source `number`; no_node after an error.
NodeId parse_expression_text(SyntaxTree& tree, std::uint16_t number, Diagnostics& diagnostics);

}  // namespace driftless
