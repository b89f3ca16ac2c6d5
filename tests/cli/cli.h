#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace cairn::cli_test {

/// What the command line said and left.
struct CliResult {
  int code{-1};
  std::string out, err;
};

/// Runs the `cairn` of this build in a folder, with the arguments as a shell reads them.
CliResult run_cairn(const std::string& folder, const std::string& arguments);

/// The same, and expects that it ends with 0.
CliResult run_good(const std::string& folder, const std::string& arguments);

/// Runs a script of the shell in a folder, with `cairn` as its command; what it prints goes beside the folder.
CliResult run_script(const std::string& folder, const std::string& script);

/// A fresh, empty folder for a test.
std::string fresh_folder(const std::string& name);

/// How many files a folder has.
std::size_t files_in(const std::string& folder);

std::string read_text(const std::string& path);
nlohmann::json read_json(const std::string& path);

bool has(const std::string& text, const std::string& part);

/// That a command ended with this code, and all of `words` are in what it said on stderr.
testing::AssertionResult ended(const CliResult& r, int code, const std::vector<const char*>& words = {});

/// Figures of `run --json` that depend on the state and on all steps before, not on the clock.
nlohmann::json figures(const CliResult& r);

/// That an object has these members with these values.
void expect_members(const nlohmann::json& object, const nlohmann::json& wanted);

}  // namespace cairn::cli_test
