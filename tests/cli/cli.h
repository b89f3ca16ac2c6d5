#pragma once

#include <cstddef>
#include <string>

namespace cairn::cli_test {

/// What the command line said and left.
struct CliResult {
  int code{-1};
  std::string out, err;
};

/// Runs the `cairn` of this build in a folder, with the arguments as a shell reads them.
CliResult run_cairn(const std::string& folder, const std::string& arguments);

/// Runs a script of the shell in a folder, with `cairn` as its command; what it prints goes beside the folder.
CliResult run_script(const std::string& folder, const std::string& script);

/// A fresh, empty folder for a test.
std::string fresh_folder(const std::string& name);

/// How many files a folder has.
std::size_t files_in(const std::string& folder);

std::string read_text(const std::string& path);

}  // namespace cairn::cli_test
