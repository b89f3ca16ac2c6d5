#pragma once
// What the readers of mesh files share. They are our own since they are small, and must round each number once, to the
// nearest, on every machine, and lose nothing in silence: tinyobjloader rounds by pow() and takes what isn't a number
// for 0, and ADMesh reads by the process's locale and prints.

#include <string>
#include <string_view>

#include "cairn/mesh_file.h"

namespace cairn::mesh_file {

/// Throws InvalidArgument: "rock.obj:12: reason".
[[noreturn]] void fail(const std::string& where, std::size_t line, const std::string& reason);

/// A piece of a file for a message, in quotes, long ones cut, what can't be printed replaced.
std::string in_quotes(std::string_view text);

/// The next word of a line, taken off its front; empty at its end.
std::string_view word(std::string_view& line);

/// A finite number, rounded to the nearest float.
float number(std::string_view word, const std::string& where, std::size_t line);

void cap(std::uint64_t count, std::uint64_t most, const char* what, const std::string& where, std::size_t line);

}  // namespace cairn::mesh_file
