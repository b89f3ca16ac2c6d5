// Fields on bodies of a World: their checks, and their connection to the World.

#include "cairn/body_fields.h"

#include <string>

#include "cairn/world_scales.h"
#include "src/fields/solver.h"
#include "src/scene/field_rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

std::vector<BodyHandle> dynamic_bodies(const World& world) {
  std::vector<BodyHandle> bodies = world.bodies();
  std::erase_if(bodies, [&](BodyHandle b) { return world.description(b).type != BodyType::kDynamic; });
  return bodies;
}

/// [kg] For bodies that aren't dynamic, the mass that they would have.
double mass_of(const World& world, BodyHandle handle) {
  const Body body = world.scales().description(handle);
  if (body.type == BodyType::kDynamic) return world.mass_properties(handle).mass;
  return rules::mass_as_dynamic(body, world.materials(world.world_of(handle)));
}

}  // namespace

struct BodyFields::Impl {
  World& world;
  std::vector<BodyHandle> bodies;
  std::unique_ptr<ode::BodyForces> forces;

  World::Impl& of() const { return *world.impl_; }

  Impl(World& on, std::span<const BodyHandle> given, Precision precision) : world(on) {
    std::vector<std::vector<BodyHandle>> of_world(world.world_count());
    std::vector<bool> there(of().slots.size(), false);
    for (const BodyHandle body : given) {
      const std::uint32_t slot = of().slot_of(body);
      const double mass = mass_of(world, body);
      const std::string name = "BodyFields: " + label(of().slots[slot].body);
      if (there[slot]) throw InvalidArgument(name + " is there twice");
      if (!(mass > 0)) throw InvalidArgument(name + " has no mass");
      there[slot] = true;
      of_world[of().slots[slot].world].push_back(body);
    }
    ode::BodyRows rows;
    rows.begin.push_back(0);
    for (const std::vector<BodyHandle>& some : of_world) {
      for (const BodyHandle body : some) {
        bodies.push_back(body);
        rows.slot.push_back(of().slot_of(body));
        rows.mass.push_back(mass_of(world, body));
      }
      rows.begin.push_back(static_cast<std::uint32_t>(bodies.size()));
    }
    const Device& device = world.device();
    forces = device.kind == Device::Kind::kCpu ? ode::make_cpu_forces(device, precision, rows)
                                               : ode::make_cuda_forces(device, of().backend->stream(), precision, rows);
  }

  /// On the World's stream, after the steps so far.
  kernels::BodyPushes find(const std::string& call) {
    if (of().backend->capturing()) throw InvalidArgument("BodyFields::" + call + " can't be captured in a graph");
    of().synchronise();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (world.alive(bodies[i])) continue;
      throw InvalidArgument("BodyFields::" + call + ": body " + std::to_string(i) + " of its list was removed");
    }
    const std::vector<double> times = of().read(of().arrays.worlds.view().time, of().worlds.size());
    return forces->find(of().arrays.bodies.view(), times);
  }
};

BodyFields::BodyFields(World& world, Precision precision)
    : BodyFields(world, with_heap([&] { return dynamic_bodies(world); }), precision) {}
BodyFields::BodyFields(World& world, std::span<const BodyHandle> bodies, Precision precision)
    : impl_(with_heap([&] { return std::make_unique<Impl>(world, bodies, precision); })) {}
BodyFields::~BodyFields() = default;
BodyFields::BodyFields(BodyFields&&) noexcept = default;
BodyFields& BodyFields::operator=(BodyFields&&) noexcept = default;

void BodyFields::add(const Field& field) {
  with_heap([&] { impl_->forces->add(field); });
}
void BodyFields::add(const fields::Any& field) {
  with_heap([&] { impl_->forces->add(field); });
}
void BodyFields::clear_fields() { impl_->forces->clear_fields(); }

const std::vector<BodyHandle>& BodyFields::bodies() const { return impl_->bodies; }

void BodyFields::apply() {
  impl_->of().call([&] {
    const kernels::BodyPushes pushes = impl_->find("apply");
    impl_->of().note_state();
    impl_->of().exchange({.what = ExchangeContext::What::kPush, .pushes = pushes});
  });
}

std::vector<Vec3d> BodyFields::forces() {
  return impl_->of().call([&] {
    impl_->find("forces");
    return impl_->forces->found();
  });
}

}  // namespace cairn
