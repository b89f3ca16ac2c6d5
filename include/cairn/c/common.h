#pragma once
// Common to every part of the C interface: results, errors, versions, devices.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CAIRN_API extern "C" __attribute__((visibility("default")))
#else
#define CAIRN_API __attribute__((visibility("default")))
#endif

// The version of this interface: functions and members are only ever added within one.
#define CAIRN_C_VERSION 3

typedef enum cairn_result {
  CAIRN_OK = 0,
  CAIRN_INVALID_ARGUMENT = 1,  ///< a description that can't be simulated, or a stale handle
  CAIRN_SCENE_FILE = 2,        ///< a scene file that can't be read
  CAIRN_DEVICE = 3,            ///< no such device, or it failed
  CAIRN_CAPACITY = 4,          ///< memory ran out, or a fixed capacity is too small
  CAIRN_INTERNAL = 5,          ///< a fault of the library
  CAIRN_SNAPSHOT = 6           ///< a snapshot or recording that can't be used
} cairn_result;

/// Message of the calling thread's last call that failed; "" if none has. Valid until its next call that fails.
CAIRN_API const char* cairn_last_error(void);
/// CAIRN_C_VERSION of the library.
CAIRN_API uint32_t cairn_c_version(void);
/// Cairn's version, three numbers with points between them.
CAIRN_API const char* cairn_version(void);
/// Equal numbers give equal bits.
CAIRN_API uint32_t cairn_numerics_version(void);

/// All worlds, where a function says that its `index` may be this.
#define CAIRN_ALL_WORLDS UINT32_MAX

/// Number of devices: the CPU, and the CUDA devices that this build can run on.
CAIRN_API cairn_result cairn_device_count(uint32_t* count);
/// "cpu" or "cuda:0", and a description of one line, each cut to its size, with a 0 at the end. Either may be null.
CAIRN_API cairn_result cairn_device_info(uint32_t index, char* name, size_t name_size, char* description,
                                         size_t description_size);
