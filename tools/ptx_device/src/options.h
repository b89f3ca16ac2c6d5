#pragma once
// Environment variables of the device. Read once, when the library is loaded.

#include <cstdint>
#include <string>

namespace ptxdev {

struct Options {
  std::uint64_t seed;    ///< PTX_DEVICE_SEED: 0 runs blocks and warps in order, anything else in a random order
  int multiprocessors;   ///< PTX_DEVICE_SMS [1]
  std::uint64_t memory;  ///< PTX_DEVICE_MEMORY_MIB, here in bytes [B]
  std::uint64_t fail;    ///< PTX_DEVICE_FAIL_ALLOCATION: the n-th fails; 0: none
  bool late;             ///< PTX_DEVICE_LATE: work on a stream is not done before the host waits for it
  bool initcheck;        ///< PTX_DEVICE_INITCHECK: reads of memory that was never written are reported
  bool racecheck;        ///< PTX_DEVICE_RACECHECK: unordered accesses of one address are reported
  bool poison_zero;      ///< PTX_DEVICE_POISON_ZERO: the first memset(0) of a whole allocation writes poison
  bool stop;             ///< PTX_DEVICE_ABORT: abort at the first fault, instead of a sticky CUDA error
  bool summary;          ///< PTX_DEVICE_SUMMARY: launches and instructions at exit
  bool trace;            ///< PTX_DEVICE_TRACE: one line a launch
  std::string profile;   ///< PTX_DEVICE_PROFILE: file for counts of launches; empty: not counted
};

const Options& options();

}  // namespace ptxdev
