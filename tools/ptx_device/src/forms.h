#pragma once
// Which instructions there are: the one list of them. What it doesn't have is refused before it is decoded, and the
// tests run whatever it has (tests/semantics).

#include <string>
#include <string_view>
#include <vector>

namespace ptxdev {

/// An instruction as written in PTX, all modifiers and types included.
struct Form {
  std::string name;
  int min_operands, max_operands;  ///< operands, those after a | counted
};

/// All that are known, in the order of modifiers that the ISA gives.
std::vector<Form> forms();

/// Empty where `op` with these modifiers is known; as in ptxas, their order is free but for types. Otherwise what is
/// wrong with it.
std::string unknown_form(std::string_view op, const std::vector<std::string_view>& mods, int operands);

}  // namespace ptxdev
