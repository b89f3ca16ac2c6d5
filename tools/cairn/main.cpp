// The command line: cairn run, scenes, info, validate, replay, view, bench, lab.

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "cairn/errors.h"
#include "cairn/version.h"
#include "tools/cairn/commands.h"
#include "tools/cairn/files.h"

namespace {

int fail(int code, const std::string& message) {
  std::fprintf(stderr, "cairn: %s\n", message.c_str());
  return code;
}

int run_command(int argc, char** argv) {
  using namespace cairn::cli;
  int exit_code = kGood;
  CLI::App app{"Cairn: rigid bodies that pile up and stay, with the same bits on the CPU and on CUDA.", "cairn"};
  app.set_version_flag("--version", std::string("cairn ") + cairn::kVersion);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 good; 1 the simulation raised a status bit, or a replay differs; 2 bad input (scene, option or\n"
      "path); 3 no such device, or out of memory; 4 an output could not be written, stdout among them; 130 or 143 a\n"
      "run was stopped by SIGINT or SIGTERM, and wrote what it had.");
  add_run(app, exit_code);
  add_scenes(app);
  add_info(app);
  add_validate(app);
  add_replay(app, exit_code);
  add_view(app);
  add_bench(app, exit_code);
  add_lab(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    if (asked) return app.exit(error);
    // CLI11 reports an unknown word only as a missing subcommand
    const auto unknown = app.remaining();
    const std::string found =
        app.get_subcommands().empty() && !unknown.empty() ? ", found \"" + unknown.front() + "\"" : "";
    return fail(kBadInput, error.what() + found + "\nRun with --help for more.");
  } catch (const OutputError& error) {
    return fail(kNotWritten, error.what());
  } catch (const cairn::DeviceError& error) {
    return fail(kNoDevice, error.what());
  } catch (const cairn::CapacityError& error) {
    return fail(kNoDevice, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kNoDevice, "out of memory");
  } catch (const std::exception& error) {
    return fail(kBadInput, error.what());
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace cairn::cli;
  hold_standard_streams();
  const int exit_code = run_command(argc, argv);
  try {
    std::cout.flush();
    flush_stdout();
  } catch (const OutputError& error) {
    // earlier errors were printed already
    if (exit_code == kGood || exit_code == kStatusRaised) return fail(kNotWritten, error.what());
  }
  return exit_code;
}
