#pragma once
// The structs of DLPack 1.1, from its specification (https://dmlc.github.io/dlpack/latest/c_api.html). Debian 12 has
// version 0.6, which lacks the versioned tensor. Names and layout are the interface; programs that include DLPack's own
// header never see this one.

#include <cstdint>

struct DLPackVersion {
  std::uint32_t major, minor;
};

enum DLDeviceType : std::int32_t { kDLCPU = 1, kDLCUDA = 2 };

struct DLDevice {
  DLDeviceType device_type;
  std::int32_t device_id;
};

enum DLDataTypeCode : std::uint8_t { kDLUInt = 1, kDLFloat = 2 };

struct DLDataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};

struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};

inline constexpr std::uint64_t kDLPackReadOnly = 1;

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
};
