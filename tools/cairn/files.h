#pragma once
// The files that a command reads and writes, and its standard output.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "cairn/errors.h"

namespace cairn::cli {

/// A result that could not be written.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file as named by an option; an empty path is none.
struct NamedFile {
  std::string option;
  std::filesystem::path path;
};
struct OutputFile : NamedFile {
  std::vector<std::string> endings;  ///< the name must have one of these; empty: any
};

/// Throws InvalidArgument, naming the option, if an output can't be written or lacks its ending, if two outputs are one
/// file, or if one is also an input or the target of stdout or stderr, through links too.
void check_files(const std::vector<OutputFile>& outputs, const std::vector<NamedFile>& inputs);

/// Runs f, which writes a file. An error of writing becomes an OutputError.
template <class F>
void writing(const F& f) {
  try {
    f();
  } catch (const InvalidArgument& error) {
    throw OutputError(error.what());
  }
}

/// Opens those of stdin, stdout and stderr that are closed, such that using them fails. Without that the next opened
/// file would take their place, and printed text would go into it.
void hold_standard_streams();
/// Throws OutputError if text printed to stdout so far was not written.
void flush_stdout();

}  // namespace cairn::cli
