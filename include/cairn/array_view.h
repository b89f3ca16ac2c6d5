#pragma once
// Arrays that lie where a World lives, for programs and libraries that work on the same device. docs/interop.md lists
// the arrays of a World.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "cairn/device.h"

/// A tensor of DLPack 1, as <dlpack/dlpack.h> declares it.
struct DLManagedTensorVersioned;

namespace cairn {

enum class ElementType : std::uint8_t { kUint8, kUint32, kUint64, kFloat32, kFloat64 };
std::size_t bytes_of(ElementType type);
std::string_view element_name(ElementType type);  ///< "uint8", "uint32", "uint64", "float32", "float64"

/// An array of up to three dimensions. It owns nothing.
struct ArrayView {
  void* data{nullptr};  ///< [1] the first element, an address on `device`; null where there is none
  ElementType type{ElementType::kFloat32};
  int rank{1};                            ///< [1] 1..3
  std::array<std::int64_t, 3> shape{};    ///< [1] elements along each of the `rank` dimensions
  std::array<std::int64_t, 3> strides{};  ///< [1] elements from one to the next along each
  Device device{};
  bool writable{true};
};

/// A view of rows of `columns` elements that follow each other without gaps, or of `rows` single elements.
ArrayView dense_view(void* data, ElementType type, const Device& device, std::int64_t rows, std::int64_t columns = 0);

constexpr ElementType element_of(std::uint8_t) { return ElementType::kUint8; }
constexpr ElementType element_of(std::uint32_t) { return ElementType::kUint32; }
constexpr ElementType element_of(std::uint64_t) { return ElementType::kUint64; }
constexpr ElementType element_of(float) { return ElementType::kFloat32; }
constexpr ElementType element_of(double) { return ElementType::kFloat64; }

/// The same of `count` elements. Throws InvalidArgument if the rows have another number.
ArrayView dense_view(const void* data, ElementType type, std::size_t count, bool writable, std::int64_t rows,
                     std::int64_t columns, const Device& device);

/// Of a span's elements, all of them, on the CPU or where `device` says. Throws InvalidArgument if the rows have
/// another number of elements.
template <class T>
ArrayView view(std::span<T> data, std::int64_t rows, std::int64_t columns = 0, const Device& device = {}) {
  return dense_view(data.data(), element_of(std::remove_const_t<T>{}), data.size(), !std::is_const_v<T>, rows, columns,
                    device);
}
/// Of a vector's or an array's.
template <class C>
ArrayView view(C& data, std::int64_t rows, std::int64_t columns = 0, const Device& device = {}) {
  return view(std::span<std::remove_reference_t<decltype(*std::data(data))>>(data), rows, columns, device);
}

/// An array of a World.
struct NamedArray {
  std::string_view name;
  std::string_view unit;  ///< [1] "m/s", "1" for a number without one
  std::string_view rows;  ///< what has a row: "slots" (of bodies), "bodies" (living ones), "worlds", "pairs", ...
  std::string_view meaning;
  ArrayView view;
};

/// The view as a tensor of DLPack 1.1. Whoever takes it calls its deleter, which lets go of `keep`: give it whatever
/// must live as long as the array, such as a std::shared_ptr<World>. Throws std::bad_alloc.
DLManagedTensorVersioned* to_dlpack(const ArrayView& view, std::shared_ptr<const void> keep = nullptr);

/// States of bodies in arrays of the user's on the world's device: one row a living body, in the order of
/// World::bodies(). float32 or float64 each, any strides. An array without data is left out; position and orientation
/// go together. float32 keeps of a position what it can.
struct StateArrays {
  ArrayView position;          ///< [m]     (bodies, 3) world, of the body's own origin
  ArrayView orientation;       ///< [1]     (bodies, 4) x, y, z, w
  ArrayView linear_velocity;   ///< [m/s]   (bodies, 3) world, of the centre of mass
  ArrayView angular_velocity;  ///< [rad/s] (bodies, 3) world
};

/// How large arrays of articulations are (ArticulationArrays).
struct ArticulationRows {
  std::uint32_t rows{0};         ///< [1] articulations of all worlds
  std::uint32_t coordinates{0};  ///< [1] of the one that has most
  std::uint32_t rates{0};        ///< [1] the same
};

/// The same for articulations: one row each, world by world in the order of World::articulations; so with one in each
/// world, a row is a world. What is more than an articulation has is left alone in its row, and means nothing there.
struct ArticulationArrays {
  ArrayView q;            ///< [m, rad, 1]  (rows, coordinates)
  ArrayView v;            ///< [m/s, rad/s] (rows, rates)
  ArrayView force;        ///< [N, N m]     (rows, rates) along them
  ArrayView target;       ///< [m, rad, 1]  (rows, coordinates) of the drives
  ArrayView target_rate;  ///< [m/s, rad/s] (rows, rates) the same
};

/// The same for joints: one row each, world by world in the order of World::joints; columns are JointDof, all of which
/// are read. Drives are written where an axis has one (JointDrive::max_force over 0); what stands in other columns then
/// means nothing.
struct JointArrays {
  ArrayView coordinate;       ///< [m, rad]   (joints, 6) read alone, like the next two
  ArrayView force;            ///< [N]        (joints, 3) JointState::force
  ArrayView torque;           ///< [N m]      (joints, 3) JointState::torque
  ArrayView drive_target;     ///< [m, rad]   (joints, 6) these are JointDrive's
  ArrayView drive_rate;       ///< [m/s, rad/s] (joints, 6)
  ArrayView drive_force;      ///< [N, N m]   (joints, 6)
  ArrayView drive_stiffness;  ///< [N/m, N m/rad] (joints, 6)
  ArrayView drive_damping;    ///< [N s/m, N m s/rad] (joints, 6)
};

/// The same for scales (cairn/random.h). What stands in the rows of bodies that aren't dynamic means nothing.
struct ScaleArrays {
  ArrayView world;  ///< [1] (worlds, 4) size, mass, friction, restitution
  ArrayView body;   ///< [1] (bodies, 2) size, mass
};

}  // namespace cairn
