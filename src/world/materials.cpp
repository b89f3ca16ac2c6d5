// Materials: adding, changing, and assigning them to bodies.

#include <algorithm>

#include "kernels/scale/scale.h"
#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {

namespace {

void check_material_name(const WorldSlot& world, const Material& material, std::size_t index) {
  for (std::size_t i = 0; i < world.materials.size(); ++i) {
    if (i != index && world.materials[i].name == material.name)
      throw InvalidArgument("material \"" + material.name + "\": the name is taken");
  }
}

kernels::ContactMaterial contact_material(const Material& m) {
  kernels::ContactMaterial of{m.friction, m.restitution, m.rolling_friction, 0.0f, 0.0f, m.surface_velocity};
  if (m.young_modulus > 0) {
    // G = E / (2 (1 + nu))
    const double e = m.young_modulus, nu = m.poisson_ratio;
    of.compliance = static_cast<float>((1 - nu * nu) / e);
    of.shear_compliance = static_cast<float>(2 * (2 - nu) * (1 + nu) / e);
  }
  return of;
}

}  // namespace

std::vector<std::uint32_t> World::Impl::material_owners() const {
  std::vector<std::uint32_t> owners(materials.size());
  for (std::uint32_t w = 0; w < worlds.size(); ++w) {
    for (const std::uint32_t at : worlds[w].material_slots) owners[at] = w;
  }
  return owners;
}

void World::Impl::materials_written(const MaterialArrays& from) {
  materials_newer = true;
  may_do.bounce |= from.restitution.data != nullptr;
  may_do.resist_rolling |= from.rolling_friction.data != nullptr;
  may_do.move |= from.surface_velocity.data != nullptr;
}

void World::Impl::pull_materials() {
  if (!materials_newer) return;
  synchronise();
  const std::vector<kernels::ContactMaterial> there =
      read(scales.begun() ? arrays.material_bases.view().material : arrays.materials.data(), materials.size());
  for (WorldSlot& world : worlds) {
    for (std::size_t i = 0; i < world.materials.size(); ++i) {
      const std::uint32_t at = world.material_slots[i];
      materials[at] = there[at];
      world.materials[i].friction = there[at].friction;
      world.materials[i].restitution = there[at].restitution;
      world.materials[i].rolling_friction = there[at].rolling_friction;
      world.materials[i].surface_velocity = there[at].surface_velocity;
    }
  }
  // a graph may write at any time, and its steps must be ready for that
  materials_newer = captured;
  if (!options.capturable) may_do = {};
}

void World::Impl::upload_materials() {
  if (!scales.begun()) {
    memory.put(arrays.materials.data(), materials);
    return;
  }
  std::vector<std::uint32_t> owners = material_owners();
  const kernels::MaterialBases& to = arrays.material_bases.view();
  memory.put(to.material, materials);
  memory.put(to.world, owners);
  std::vector<kernels::ContactMaterial> made = materials;
  std::vector<Scales> given = read(arrays.worlds.view().scales, worlds.size());
  kernels::Worlds of_worlds{};
  of_worlds.scales = given.data();
  const kernels::ScaleMaterial scale{of_worlds, {materials.data(), owners.data()}, {}, made.data()};
  for (std::uint32_t i = 0; i < made.size(); ++i) scale(i);
  memory.put(arrays.materials.data(), made);
}

void World::Impl::add_material(WorldSlot& world, const Material& material) {
  // a world restored to fewer materials has free slots
  if (world.material_slots.size() == world.materials.size()) {
    arrays.materials.reserve(materials.size() + 1);
    if (scales.begun()) arrays.material_bases.reserve(materials.size() + 1);
    memory.push(world.material_slots, static_cast<std::uint32_t>(materials.size()));
    memory.push(materials, {});
  }
  kernels::ContactMaterial& at = materials[world.material_slots[world.materials.size()]];
  memory.keep(at);
  at = contact_material(material);
  memory.push(world.materials, material);
  material_rows_known = false;
}

std::vector<std::uint32_t> World::Impl::bodies_with_mass_by(const WorldSlot& world, std::uint32_t material) const {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t at : world.body_slots) {
    const Body& body = slots[at].body;
    if (!slots[at].alive || body.type != BodyType::kDynamic || body.density) continue;
    if (std::any_of(body.shapes.begin(), body.shapes.end(), [&](const Shape& s) { return s.material == material; }))
      found.push_back(at);
  }
  return found;
}

const std::vector<Material>& World::materials(std::uint32_t world) const {
  return impl_->call([&]() -> const std::vector<Material>& {
    const WorldSlot& of = impl_->world_at(world);
    impl_->pull_materials();
    return of.materials;
  });
}

std::uint32_t World::add_material(const Material& material, std::uint32_t world) {
  return impl_->call([&]() -> std::uint32_t {
    validate(material, "material \"" + material.name + "\"");
    const std::size_t index = impl_->world_at(world).materials.size();
    check_material_name(impl_->worlds[world], material, index);
    impl_->synchronise();
    impl_->pull_materials();
    impl_->add_material(impl_->worlds[world], material);
    impl_->upload_materials();
    impl_->note<&World::add_material>(material, world);
    return static_cast<std::uint32_t>(index);
  });
}

void World::set_material(std::uint32_t index, const Material& material, std::uint32_t world) {
  impl_->call([&] {
    const WorldSlot& in = impl_->world_at(world);
    if (index >= in.materials.size()) {
      throw InvalidArgument("material index " + std::to_string(index) + ": there are " +
                            std::to_string(in.materials.size()));
    }
    validate(material, "material \"" + material.name + "\"");
    check_material_name(in, material, index);
    impl_->pull_materials();
    // bodies whose mass depends on the material's density get a new one
    std::vector<std::uint32_t> changed;
    if (material.density != in.materials[index].density) changed = impl_->bodies_with_mass_by(in, index);
    std::vector<Material> materials = in.materials;
    materials[index] = material;
    std::vector<BodyState> states;
    for (const std::uint32_t at : changed) {
      const Body& body = impl_->slots[at].body;
      validate(body, materials, label(body));
      impl_->scales.check_body("set_material", body, world, materials, at);
      states.push_back(state(BodyHandle{at + 1, impl_->slots[at].generation}));
    }
    impl_->synchronise();
    impl_->memory.replace(impl_->worlds[world].materials, std::move(materials));
    const std::uint32_t at = in.material_slots[index];
    impl_->memory.replace(impl_->materials[at], contact_material(material));
    impl_->upload_materials();
    impl_->grains_known = impl_->fields.known = false;
    impl_->wake_all(world);
    impl_->rebuild(changed, states);
    impl_->note<recording::kSetMaterial>(index, material, world);
  });
}

void World::set_material(BodyHandle body, std::uint32_t material) {
  impl_->call([&] {
    const std::uint32_t at = impl_->slot_of(body);
    BodySlot& slot = impl_->slots[at];
    Body changed = slot.body;
    // the mass stays
    if (changed.type == BodyType::kDynamic && !changed.mass) changed.mass = static_cast<float>(slot.mass.mass);
    for (Shape& shape : changed.shapes) shape.material = material;
    validate(changed, impl_->worlds[slot.world].materials, label(changed));
    impl_->scales.check_body("set_material", changed, slot.world, impl_->worlds[slot.world].materials, at);
    const BodyState now = state(body);
    // a body held by friction may move now
    impl_->wake_touched(at, false);
    impl_->memory.replace(slot.body, std::move(changed));
    impl_->rebuild({&at, 1}, {&now, 1});
    impl_->note<recording::kSetBodyMaterial>(body, material);
  });
}

}  // namespace cairn
