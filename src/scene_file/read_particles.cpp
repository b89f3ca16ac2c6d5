// Sets of particles from JSON values.

#include <utility>

#include "src/scene/particle_rules.h"
#include "src/scene_file/decode.h"
#include "src/scene_file/read_attributes.h"

namespace cairn::scene_file {

void Decoder::constraint(const Node& node, const Path& path) {
  const Fields fields(node, keys_of<ConstraintGroup>(), path);
  ConstraintGroup group;
  read_attributes(fields, path, group);
  if (!group.particles.empty()) {
    const std::size_t tuple = *fields.require("particles").list->tuple;
    if (group.kind == ConstraintKind::kShape) group.cluster = static_cast<std::uint32_t>(tuple);
    if (tuple != particles_of(group)) {
      fail(Path(path, "particles"),
           "must be " + std::to_string(particles_of(group)) + " particles each, are " + std::to_string(tuple));
    }
  }
  constraints_.push_back(std::move(group));
}

void Decoder::attachment(const Node& node, const Path& path) {
  count(1, path);
  const Fields fields(node, keys_of<Attachment>(), path);
  Attachment made;
  read_attributes(fields, path, made, [&](const Attribute<&Attachment::body>& a) {
    held_by_.push_back(read_string(fields.require(a.key()), Path(path, a.key())));
  });
  attachments_.push_back(made);
}

void Decoder::particles(const Node& node, const Path& path) {
  static const auto kKeys = keys_with<ParticleSet>(kFirstBody);
  const Fields fields(node, kKeys, path);
  PlacedParticles placed;
  ParticleSet& set = placed.set;
  using S = ParticleSet;
  read_attributes(fields, path, set,
                  Overloads{[&](const Attribute<&S::material>&) { set.material = read_material(fields, path); },
                            [&](const Attribute<&S::constraints>& a) { take_read(fields, a, constraints_, set); },
                            [&](const Attribute<&S::attachments>& a) { take_read(fields, a, attachments_, set); }});
  fields.read("first_body", read_bits, placed.first_body);
  placed.held_by = std::exchange(held_by_, {});
  particle_count_ += set.positions.size();
  cap(particle_count_, limits_.bodies, "particles in all", Path(path, "positions"));
  pair_count_ += count_pairs(set);
  cap(pair_count_, limits_.ignored, "pairs of bodies ignore each other", path);
  particles_.push_back(std::move(placed));
}

void Decoder::add_particles(Scene& scene, const std::vector<std::uint32_t>& material_of_use, std::size_t k) {
  const Path list(root_, "particles"), path(list, k);
  auto& [set, held_by, first_body] = particles_[k];
  set.material = material_of_use[set.material];
  if (const auto first = scene.find_particles(set.name))
    refuse_name(path, set.name, "/particles/" + std::to_string(*first));
  if (const auto fault = rules::find_fault(set)) refuse(path, *fault);
  add_bodies_before(scene, material_of_use, first_body, path);
  const Path attachments(path, "attachments");
  for (std::size_t i = 0; i < held_by.size(); ++i) {
    const Path at(attachments, i);
    set.attachments[i].body = require_body(scene, held_by[i], Path(at, "body"), "body before these particles");
  }
  other_bodies_ += set.positions.size();
  try {
    scene.add_particles(std::move(set));
  } catch (const InvalidArgument& error) {
    fail(path, error.what());
  }
}

}  // namespace cairn::scene_file
