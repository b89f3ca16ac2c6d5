#pragma once
// What a World holds. The parts are in files by topic: world.cpp (life and step), edit.cpp (bodies), materials.cpp,
// wake.cpp (waking, and the end of contacts), state.cpp (poses, velocities, forces, hash), frame.cpp (body frames),
// readback.cpp (report and contacts), trace.cpp (stage times and hashes).

#include <array>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "cairn/world.h"
#include "src/exec/backend.h"
#include "src/world/arrays.h"
#include "src/world/frame.h"

namespace cairn {

/// A step that was enqueued, and what the host knew before it.
struct PendingStep {
  float dt;      ///< [s]
  double time;   ///< [s]
  float last_h;  ///< [s]
};

/// How errors name a body.
inline std::string label(const Body& body) { return "body \"" + body.name + "\""; }

struct World::Impl {
  Impl(const Scene& scene, const WorldOptions& options);

  template <class T>
  std::vector<T> read(const T* data, std::size_t n) const {
    std::vector<T> values(n);
    if (n != 0) memory.download(values.data(), data, n * sizeof(T));
    return values;
  }

  // world.cpp
  void step(float dt);
  void synchronise();
  void take(float dt);
  void enqueue(float dt);
  StepContext context(float dt);
  std::uint32_t next_parity() const { return static_cast<std::uint32_t>(steps & 1u); }

  // edit.cpp
  std::uint32_t slot_of(BodyHandle handle) const;  ///< throws if stale
  void add_bodies(std::span<const Body> bodies, std::vector<BodyHandle>* handles);
  void remove_body(std::uint32_t slot);
  void rebuild(std::uint32_t slot, const BodyState& state);
  void upload(std::uint32_t first, std::span<const BodyRecord> records);
  void upload_shapes(std::uint32_t slot);
  void upload_planes();

  // materials.cpp
  void upload_materials();
  void check_material_name(const Material& material, std::size_t index) const;  ///< throws if another has it
  std::vector<std::uint32_t> weighed_by(std::uint32_t material) const;  ///< slots whose mass hangs on its density

  // wake.cpp
  void index_contacts();
  void wake_touched(std::uint32_t slot, bool drop);  ///< and what the body touches; `drop`: and ends the contacts
  void drop_all_contacts();
  void wake(std::span<const std::uint32_t> touched);  ///< slots, with the islands that they sleep in
  void wake(std::uint32_t slot) { wake({&slot, 1}); }
  void wake_all();

  // state.cpp
  void upload_state(std::uint32_t slot, const BodyState& state);
  void add_load(std::uint32_t slot, Vec3 force, Vec3 torque);
  void check_state(std::uint32_t slot, const BodyState& state) const;

  WorldOptions options;
  std::unique_ptr<exec::Backend> backend;
  exec::Memory& memory;
  StepParams params;
  Vec3 gravity;
  std::vector<Material> materials;

  std::vector<BodySlot> slots;
  std::vector<std::uint32_t> free_slots, free_shapes;
  std::unordered_set<std::string> names;  ///< of living bodies
  std::uint32_t living{0}, shape_slots{0}, living_shapes{0};
  std::vector<std::uint32_t> plane_slots;

  Arrays arrays;

  std::uint64_t steps{0};      ///< taken, as of the last synchronise, plus those enqueued since
  std::vector<PendingStep> pending;  ///< enqueued since then
  double time{0};                    ///< [s]
  float last_h{0};                   ///< [s] substep of the step before
  std::uint32_t status{0};
  Capacity high_water;
  std::array<double, kStageCount> stage_ms{};
  std::array<std::uint64_t, kStageCount> stage_hash{};

  // shapes to pairs of the last step, made when contacts are dropped
  std::uint64_t index_step{~std::uint64_t{0}};
  std::vector<std::uint32_t> index_begin, index_pair;
  std::vector<std::uint64_t> index_key;
};

/// Measures and hashes stages (trace.cpp).
class StageObserver final : public exec::StepObserver {
 public:
  StageObserver(World::Impl& world, const StepContext& context);
  void after(Stage stage) override;

 private:
  World::Impl& world_;
  const StepContext& context_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace cairn
