#pragma once
// The options of a command that writes a picture.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cairn/picture.h"

namespace cairn::cli {

/// As given; `--picture` is there where another one is.
struct PictureArguments {
  std::string file;
  std::optional<std::string> camera, size, grid;
  std::optional<std::uint32_t> world;
  int samples{PictureOptions{}.samples};
};

void add_picture_options(CLI::App& command, PictureArguments& to);

/// Throws InvalidArgument that names the option, for a run of so many worlds.
PictureOptions picture_options(const PictureArguments& given, std::uint32_t worlds);

}  // namespace cairn::cli
