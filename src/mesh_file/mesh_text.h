#pragma once
// Common parts of the readers of mesh files. The readers are our own: they are small, must round each number once, to
// the nearest, on every machine, and lose nothing silently. tinyobjloader rounds by pow() and reads text that isn't a
// number as 0; ADMesh reads by the process's locale and prints.

#include <string>
#include <string_view>

#include "cairn/mesh_file.h"

namespace cairn::mesh_file {

/// Throws InvalidArgument: "rock.obj:12: reason".
[[noreturn]] void fail(const std::string& where, std::size_t line, const std::string& reason);

/// A piece of a file for a message, in quotes. Long ones are cut, and unprintable characters replaced.
std::string in_quotes(std::string_view text);

/// The next word of a line, removed from its front; empty at its end.
std::string_view word(std::string_view& line);

/// A finite number, rounded to the nearest float.
float number(std::string_view word, const std::string& where, std::size_t line);

void cap(std::uint64_t count, std::uint64_t most, const char* what, const std::string& where, std::size_t line);

}  // namespace cairn::mesh_file
