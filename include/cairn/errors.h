#pragma once
// The exceptions of Cairn. Every message names the thing, the broken rule and the value found.

#include <cstdint>
#include <stdexcept>
#include <string>

namespace cairn {

/// Code of each of the errors below, for programs that switch on it. `cairn_result` of the C interface has the same
/// numbers.
enum class ErrorCode : std::uint8_t {
  kInvalidArgument = 1,
  kSceneFile = 2,
  kDevice = 3,
  kCapacity = 4,
  kInternal = 5,  ///< an Error of none of the classes below
  kSnapshot = 6,
};

/// Base of every exception that Cairn throws on purpose.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, ErrorCode code = ErrorCode::kInternal)
      : std::runtime_error(what), code_(code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

/// A scene, body, shape, material or parameter that can't be simulated, or a stale handle. Nothing was changed.
class InvalidArgument : public Error {
 public:
  explicit InvalidArgument(const std::string& what, ErrorCode code = ErrorCode::kInvalidArgument) : Error(what, code) {}
};

/// A scene file that can't be read. The message gives file, JSON pointer and reason.
class SceneFileError : public InvalidArgument {
 public:
  explicit SceneFileError(const std::string& what) : InvalidArgument(what, ErrorCode::kSceneFile) {}
};

/// A snapshot, recording or checkpoint that can't be used: truncated, damaged, foreign, of another version, or with
/// parts that don't fit together. Nothing was changed.
class SnapshotError : public InvalidArgument {
 public:
  explicit SnapshotError(const std::string& what) : InvalidArgument(what, ErrorCode::kSnapshot) {}
};

/// The requested device does not exist, was not built in, or can't run this build (for example a CPU without AVX2).
class DeviceError : public Error {
 public:
  explicit DeviceError(const std::string& what) : Error(what, ErrorCode::kDevice) {}
};

/// Memory of the device or host ran out, or a capacity set by the user is too small. The World or Scene is as before
/// the call.
class CapacityError : public Error {
 public:
  explicit CapacityError(const std::string& what) : Error(what, ErrorCode::kCapacity) {}
};

}  // namespace cairn
