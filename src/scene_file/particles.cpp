// Sets of particles from JSON values.

#include <utility>

#include "src/scene/particles.h"
#include "src/scene_file/decode.h"

namespace cairn::scene_file {
namespace {

ConstraintLaw read_law(const Fields& fields) {
  ConstraintLaw law;
  fields.read("compliance", read_float, law.compliance);
  fields.read("damping", read_float, law.damping);
  fields.read("stiffness", read_float, law.stiffness);
  fields.read("breaking_force", read_unbounded, law.breaking_force);
  return law;
}

Fluid read_fluid(const Node& node, const Path& path) {
  const Fields fields(node, kFluidKeys, path);
  Fluid fluid;
  fields.read("density", read_float, fluid.density);
  fields.read("spacing", read_float, fluid.spacing);
  fields.read("viscosity", read_float, fluid.viscosity);
  fields.read("surface_tension", read_float, fluid.surface_tension);
  return fluid;
}

/// Takes a member's list of LongList.
template <class T>
void take(const Fields& fields, std::string_view key, const Path& path, std::vector<T> LongList::*list,
          std::vector<T>& to) {
  const Node* node = fields.find(key);
  if (node == nullptr) return;
  require_kind(*node, Kind::kArray, Path(path, key));
  to = std::move((*node->list).*list);
  to.shrink_to_fit();
}

}  // namespace

void Decoder::constraint(const Node& node, const Path& path) {
  const Fields fields(node, kConstraintKeys, path);
  ConstraintGroup group;
  group.kind = read_word(fields.require("kind"), kConstraintKinds, Path(path, "kind"));
  group.law = read_law(fields);
  fields.read("unilateral", read_bool, group.unilateral);
  fields.read("young_modulus", read_float, group.young_modulus);
  fields.read("poisson_ratio", read_float, group.poisson_ratio);
  const Node& given = fields.require("particles");
  const bool some = given.list != nullptr && !given.list->indices.empty();
  if (some && group.kind == ConstraintKind::kShape) group.cluster = static_cast<std::uint32_t>(given.list->tuple);
  if (some && given.list->tuple != particles_of(group)) {
    fail(Path(path, "particles"), "must be " + std::to_string(particles_of(group)) + " particles each, are " +
                                      std::to_string(given.list->tuple));
  }
  take(fields, "particles", path, &LongList::indices, group.particles);
  take(fields, "rest", path, &LongList::numbers, group.rest);
  constraints_.push_back(std::move(group));
}

void Decoder::attachment(const Node& node, const Path& path) {
  count(1, path);
  const Fields fields(node, kAttachmentKeys, path);
  Attachment made;
  made.particle = read_bits(fields.require("particle"), Path(path, "particle"));
  made.law = read_law(fields);
  held_by_.push_back(read_string(fields.require("body"), Path(path, "body")));
  attachments_.push_back(made);
}

void Decoder::particles(const Node& node, const Path& path) {
  const Fields fields(node, kParticlesKeys, path);
  PlacedParticles placed;
  ParticleSet& set = placed.set;
  set.name = read_string(fields.require("name"), Path(path, "name"));
  fields.read("first_body", read_bits, placed.first_body);
  fields.require("positions");
  take(fields, "positions", path, &LongList::positions, set.positions);
  take(fields, "velocities", path, &LongList::points, set.velocities);
  take(fields, "masses", path, &LongList::numbers, set.masses);
  take(fields, "fixed", path, &LongList::indices, set.fixed);
  fields.read("mass", read_float, set.mass);
  fields.read("radius", read_float, set.radius);
  fields.read("linear_damping", read_float, set.linear_damping);
  std::string material = rules::default_material().name;
  fields.read("material", read_string, material);
  set.material = use(material, Path(path, "material"));
  fields.read("filter", read_filter, set.filter);
  if (const Node* fluid = fields.find("fluid")) set.fluid = read_fluid(*fluid, Path(path, "fluid"));
  for (const char* key : {"constraints", "attachments"}) {
    if (const Node* list = fields.find(key)) require_kind(*list, Kind::kArray, Path(path, key));
  }
  set.constraints = std::exchange(constraints_, {});
  set.attachments = std::exchange(attachments_, {});
  placed.held_by = std::exchange(held_by_, {});
  particle_count_ += set.positions.size();
  if (particle_count_ > limits_.bodies) {
    fail(Path(path, "positions"), "more than " + std::to_string(limits_.bodies) + " particles in all");
  }
  pair_count_ += count_pairs(set);
  if (pair_count_ > limits_.ignored) {
    fail(path, "more than " + std::to_string(limits_.ignored) + " pairs of bodies ignore each other");
  }
  particles_.push_back(std::move(placed));
}

void Decoder::add_particles(Scene& scene, const std::vector<std::uint32_t>& material_of_use, std::size_t k) {
  const Path list(root_, "particles"), path(list, k);
  auto& [set, held_by, first_body] = particles_[k];
  set.material = material_of_use[set.material];
  if (const auto first = scene.find_particles(set.name)) {
    fail(Path(path, "name"),
         "must be unique, /particles/" + std::to_string(*first) + " has it too: " + in_quotes(set.name));
  }
  if (const auto fault = rules::find_fault(set)) refuse(path, *fault);
  add_bodies_before(scene, material_of_use, first_body, path);
  const Path attachments(path, "attachments");
  for (std::size_t i = 0; i < held_by.size(); ++i) {
    const auto found = scene.find_body(held_by[i]);
    const Path at(attachments, i);
    if (!found) fail(Path(at, "body"), "no body before these particles is named " + in_quotes(held_by[i]));
    set.attachments[i].body = *found;
  }
  other_bodies_ += set.positions.size();
  try {
    scene.add_particles(std::move(set));
  } catch (const InvalidArgument& error) {
    fail(path, error.what());
  }
}

}  // namespace cairn::scene_file
