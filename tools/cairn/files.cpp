#include "tools/cairn/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "src/file/whole_file.h"

namespace cairn::cli {
namespace {

/// A file in use, and its user.
struct Taken {
  FileIdentity file;
  std::string by;
};

void check_ending(const OutputFile& output) {
  const std::vector<std::string>& endings = output.endings;
  if (endings.empty() || std::ranges::find(endings, output.path.extension().string()) != endings.end()) return;
  std::string list;
  for (const std::string& ending : endings) list += (list.empty() ? "" : " or ") + ending;
  throw InvalidArgument(output.option + " " + output.path.string() + ": the name must end in " + list);
}

}  // namespace

void check_files(const std::vector<OutputFile>& outputs, const std::vector<NamedFile>& inputs) {
  std::vector<Taken> taken;
  const auto take = [&](const std::optional<FileIdentity>& file, const std::string& by) {
    if (file) taken.push_back({*file, by});
  };
  take(identity_of(STDOUT_FILENO), "stdout");
  take(identity_of(STDERR_FILENO), "stderr");
  for (const NamedFile& input : inputs) {
    if (!input.path.empty()) take(identity_of(input.path), input.option + " " + input.path.string());
  }
  for (const OutputFile& output : outputs) {
    if (output.path.empty()) continue;
    const std::string name = output.option + " " + output.path.string();
    check_ending(output);
    const std::string reason = reason_against_writing(output.path);
    if (!reason.empty()) throw InvalidArgument(name + ": " + reason);
    const std::optional<FileIdentity> file = identity_of(output.path);
    const auto other = std::ranges::find_if(taken, [&](const Taken& t) { return t.file == file; });
    if (other != taken.end()) throw InvalidArgument(name + ": is the same file as " + other->by);
    take(file, name);
  }
}

void hold_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // open returns the lowest free number: this one. In the wrong direction, so that using it fails
    if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) std::abort();
  }
}

void flush_stdout() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw OutputError(std::string("can't write to stdout") +
                    (errno == 0 ? "" : std::string(": ") + std::strerror(errno)));
}

}  // namespace cairn::cli
