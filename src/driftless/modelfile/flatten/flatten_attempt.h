// How the flattening goes on after something was wrong.
#pragma once

#include "driftless/modelfile/flatten/flatten_model.h"

namespace driftless {

template <class Action>
bool ModelFlattener::attempt(Action action) {
  if (context_.diagnostics.full() || context_.exhausted) return false;
  try {
    action();
    return true;
  } catch (const ModelError& error) {
    context_.report(error);
  } catch (const KnownFault&) {
    // reported where it was found
  }
  return false;
}

}  // namespace driftless
