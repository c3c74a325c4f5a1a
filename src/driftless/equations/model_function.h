// What a factory finds out about a function of a user's model, so that a mistake in it is answered in a line: each
// factory states how the function is written, and the compiler shows beside it which Function it found instead.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "driftless/autodiff/jacobian.h"
#include "driftless/autodiff/view.h"

namespace driftless::detail {

// Names for the compiler to print.
enum class Function {
  fine,
  missing,
  not_const,
  another_number_of_arguments,
  arguments_of_a_fixed_type_instead_of_auto,  // double, double*, std::span<double>: no derivatives come through
  other_arguments,
};

template <Function found, int arguments>
inline constexpr bool is_fine = found == Function::fine;

// In place of any argument, to count them.
struct Anything {
  template <class T>
  operator T() const;
};

// `Name` (name_force and so on, below) as found in Model, to be called with Arguments.
template <class Name, class Model, class... Arguments>
class FunctionOf {
  template <std::size_t... i>
  static constexpr bool takes(std::index_sequence<i...>) {
    return Name::template called<const Model, std::conditional_t<i != ~std::size_t{}, Anything, void>...>;
  }
  template <std::size_t... n>
  static constexpr int count(std::index_sequence<n...>) {
    int found = -1;
    ((found < 0 && takes(std::make_index_sequence<n>()) ? void(found = int(n)) : void()), ...);
    return found;
  }

 public:
  static constexpr bool called = Name::template called<const Model, Arguments...>;
  static constexpr bool named = called || (Name::template named<Model> && !Name::template is_variable<Model>);
  // -1: not known.
  static constexpr int arguments = [] {
    if constexpr (called || !named)
      return int(sizeof...(Arguments));
    else
      return count(std::make_index_sequence<10>());
  }();
  static constexpr Function found = [] {
    if constexpr (called)
      return Function::fine;
    else if constexpr (!named)
      return Function::missing;
    else if constexpr (Name::template called<Model, Arguments...>)
      return Function::not_const;
    else if constexpr (arguments == int(sizeof...(Arguments)))
      return Function::arguments_of_a_fixed_type_instead_of_auto;
    else if constexpr (arguments >= 0)
      return Function::another_number_of_arguments;
    else
      return Function::other_arguments;
  }();
  static constexpr bool fine = called || !named;  // as it is written, if it is there
};

// The type name_NAME. A name is found whatever it stands for: it becomes ambiguous beside another one.
#define DRIFTLESS_MODEL_FUNCTION(NAME)                                                    \
  struct name_##NAME {                                                                    \
    struct Another {                                                                      \
      int NAME;                                                                           \
    };                                                                                    \
    template <class Model>                                                                \
    struct Both : Model, Another {};                                                      \
    template <class Model>                                                                \
    static constexpr bool named = [] {                                                    \
      if constexpr (std::is_class_v<Model> && !std::is_final_v<Model>) return !requires { \
          &Both<Model>::NAME;                                                             \
        };                                                                                \
      else                                                                                \
        return false;                                                                     \
    }();                                                                                  \
    template <class Model>                                                                \
    static constexpr bool is_variable = requires {                                        \
      requires std::is_object_v<decltype(Model::NAME)>;                                   \
    };                                                                                    \
    template <class Model, class... Arguments>                                            \
    static constexpr bool called = requires(Model & m) {                                  \
      m.NAME(std::declval<Arguments>()...);                                               \
    };                                                                                    \
  }
DRIFTLESS_MODEL_FUNCTION(f);
DRIFTLESS_MODEL_FUNCTION(g);
DRIFTLESS_MODEL_FUNCTION(k);
DRIFTLESS_MODEL_FUNCTION(F);
DRIFTLESS_MODEL_FUNCTION(G);
DRIFTLESS_MODEL_FUNCTION(gamma);
DRIFTLESS_MODEL_FUNCTION(f_jacobian);
DRIFTLESS_MODEL_FUNCTION(g_jacobian);
DRIFTLESS_MODEL_FUNCTION(k_jacobian);
DRIFTLESS_MODEL_FUNCTION(force);
DRIFTLESS_MODEL_FUNCTION(states);
DRIFTLESS_MODEL_FUNCTION(constraint);
DRIFTLESS_MODEL_FUNCTION(mass);
DRIFTLESS_MODEL_FUNCTION(energy);
DRIFTLESS_MODEL_FUNCTION(force_jacobian);
DRIFTLESS_MODEL_FUNCTION(constraint_jacobian);
DRIFTLESS_MODEL_FUNCTION(dynamics);
DRIFTLESS_MODEL_FUNCTION(objective);
DRIFTLESS_MODEL_FUNCTION(rates);
DRIFTLESS_MODEL_FUNCTION(velocity_constraint);
DRIFTLESS_MODEL_FUNCTION(position_invariants);
DRIFTLESS_MODEL_FUNCTION(velocity_invariants);
#undef DRIFTLESS_MODEL_FUNCTION

// Behind the checks of a factory, none of which let a wrong model pass.
[[noreturn]] inline void refused_by_the_compiler() { __builtin_unreachable(); }

}  // namespace driftless::detail
