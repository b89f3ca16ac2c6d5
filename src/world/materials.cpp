// Materials: adding, changing, and handing them to bodies.

#include <algorithm>

#include "src/exec/exact_floats.h"
#include "src/world/impl.h"

namespace cairn {

void World::Impl::upload_materials() {
  std::vector<kernels::ContactMaterial> table;
  for (const Material& m : materials) table.push_back({m.friction, m.restitution, m.rolling_friction});
  memory.upload(arrays.materials.data(), table.data(), table.size() * sizeof(table[0]));
}

void World::Impl::check_material_name(const Material& material, std::size_t index) const {
  for (std::size_t i = 0; i < materials.size(); ++i) {
    if (i != index && materials[i].name == material.name)
      throw InvalidArgument("material \"" + material.name + "\": the name is taken");
  }
}

std::vector<std::uint32_t> World::Impl::weighed_by(std::uint32_t material) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    const Body& body = slots[i].body;
    if (!slots[i].alive || body.type != BodyType::kDynamic || body.density) continue;
    if (std::any_of(body.shapes.begin(), body.shapes.end(), [&](const Shape& s) { return s.material == material; }))
      found.push_back(i);
  }
  return found;
}

const std::vector<Material>& World::materials() const { return impl_->materials; }

std::uint32_t World::add_material(const Material& material) {
  validate(material, "material \"" + material.name + "\"");
  impl_->check_material_name(material, impl_->materials.size());
  impl_->synchronise();
  impl_->arrays.materials.reserve(impl_->materials.size() + 1);
  impl_->materials.push_back(material);
  impl_->upload_materials();
  return static_cast<std::uint32_t>(impl_->materials.size() - 1);
}

void World::set_material(std::uint32_t index, const Material& material) {
  if (index >= impl_->materials.size()) {
    throw InvalidArgument("material index " + std::to_string(index) + ": there are " +
                          std::to_string(impl_->materials.size()));
  }
  validate(material, "material \"" + material.name + "\"");
  impl_->check_material_name(material, index);
  // bodies whose weight hangs on the material's density are weighed anew
  std::vector<std::uint32_t> changed;
  if (material.density != impl_->materials[index].density) changed = impl_->weighed_by(index);
  std::vector<Material> materials = impl_->materials;
  materials[index] = material;
  std::vector<BodyState> states;
  for (const std::uint32_t at : changed) {
    const Body& body = impl_->slots[at].body;
    validate(body, materials, label(body));
    states.push_back(state({at + 1, impl_->slots[at].generation}));
  }
  impl_->synchronise();
  impl_->materials = std::move(materials);
  impl_->upload_materials();
  impl_->wake_all();
  for (std::size_t i = 0; i < changed.size(); ++i) impl_->rebuild(changed[i], states[i]);
}

void World::set_body_material(BodyHandle body, std::uint32_t material) {
  const exec::ExactFloats exact;
  const std::uint32_t at = impl_->slot_of(body);
  BodySlot& slot = impl_->slots[at];
  Body changed = slot.body;
  // the mass stays what it was
  if (changed.type == BodyType::kDynamic && !changed.mass) changed.mass = static_cast<float>(slot.mass.mass);
  for (Shape& shape : changed.shapes) shape.material = material;
  validate(changed, impl_->materials, label(changed));
  const BodyState now = state(body);
  // what lay still by friction may no longer
  impl_->wake_touched(at, false);
  slot.body = changed;
  impl_->rebuild(at, now);
}

}  // namespace cairn
