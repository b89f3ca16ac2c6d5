#pragma once
// The files that a command reads and writes, and its standard output.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "cairn/errors.h"

namespace cairn::cli {

/// What was worked out and could not be written.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file as an option names it; without a path there is none.
struct NamedFile {
  std::string option;
  std::filesystem::path path;
};
struct OutputFile : NamedFile {
  std::vector<std::string> endings;  ///< one of which the name must have; none: any
};

/// Throws InvalidArgument, naming the option, if an output can't be written to or hasn't its ending, if two of them are
/// one file, or if one is also an input or where stdout or stderr go: through links too.
void check_files(const std::vector<OutputFile>& outputs, const std::vector<NamedFile>& inputs);

/// Runs f, which writes a file. What it can't write, it says by an OutputError.
template <class F>
void writing(const F& f) {
  try {
    f();
  } catch (const InvalidArgument& error) {
    throw OutputError(error.what());
  }
}

/// Opens what of stdin, stdout and stderr is closed, such that using it fails. Else the next file that is opened takes
/// its place, and what is printed goes into that.
void hold_standard_streams();
/// Throws OutputError if anything that was printed to stdout so far was not written.
void flush_stdout();

}  // namespace cairn::cli
