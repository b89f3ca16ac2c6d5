#pragma once
// The one list of known instructions. Others are refused before they are decoded, and the tests run all of it
// (tests/semantics).

#include <string>
#include <string_view>
#include <vector>

namespace ptxdev {

/// An instruction as written in PTX, all modifiers and types included.
struct Form {
  std::string name;
  int min_operands, max_operands;  ///< number of operands, those after a | counted
};

/// All known forms, in the order of modifiers of the ISA.
std::vector<Form> forms();

/// Empty if `op` with these modifiers is known; as in ptxas, their order is free except for types. Otherwise the error.
std::string unknown_form(std::string_view op, const std::vector<std::string_view>& mods, int operands);

}  // namespace ptxdev
