#pragma once
// What Cairn throws. Every message names the thing, the rule that it breaks and the value found.

#include <stdexcept>
#include <string>

namespace cairn {

/// Base of every exception that Cairn throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A scene, body, shape, material or parameter that can't be simulated, or a stale handle. Nothing was changed.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// A scene file that can't be read. The message gives file, JSON pointer and reason.
class SceneFileError : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// A snapshot, recording or checkpoint that can't be used: cut off, damaged, foreign, of another version, or one whose
/// parts don't fit together. Nothing was changed.
class SnapshotError : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// The device asked for does not exist, was not built in, or can't run this build (for example a CPU without AVX2).
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// Memory ran out, the device's or the host's, or a capacity that the user fixed is too small. The World, or Scene, is
/// what it was before the call.
class CapacityError : public Error {
 public:
  using Error::Error;
};

}  // namespace cairn
