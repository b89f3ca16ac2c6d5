#pragma once
// Fields on bodies of a World, on one processor, in one precision.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/device.h"
#include "cairn/field.h"
#include "cairn/fields.h"
#include "cairn/particle_system.h"
#include "kernels/fields/field_bodies.h"

namespace cairn::ode {

/// Rows of bodies, world by world.
struct BodyRows {
  std::vector<std::uint32_t> slot;   ///< [1]  (rows)
  std::vector<double> mass;          ///< [kg] (rows) of bodies that aren't dynamic
  std::vector<std::uint32_t> begin;  ///< [1]  (worlds + 1)
};

class BodyForces {
 public:
  virtual ~BodyForces() = default;
  virtual void add(const Field& field) = 0;
  virtual void add(const fields::Any& field) = 0;
  virtual void clear_fields() = 0;
  /// Enqueues the forces on bodies in their present states, in worlds at these times [s].
  virtual kernels::BodyPushes find(const kernels::Bodies& bodies, std::span<const double> times) = 0;
  /// [N] (rows) The last result.
  virtual std::vector<Vec3d> found() = 0;
};

std::unique_ptr<BodyForces> make_cpu_forces(const Device& device, Precision precision, const BodyRows& rows);
/// On a stream (cudaStream_t). In builds without CUDA it throws DeviceError.
std::unique_ptr<BodyForces> make_cuda_forces(const Device& device, void* stream, Precision precision,
                                             const BodyRows& rows);

}  // namespace cairn::ode
