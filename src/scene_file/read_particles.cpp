// Sets of particles from JSON values.

#include <utility>

#include "src/scene/particle_rules.h"
#include "src/scene_file/decode.h"
#include "src/scene_file/read_attributes.h"

namespace cairn::scene_file {
namespace {

/// Moves out a member's long list.
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
  const Fields fields(node, keys_of<ConstraintGroup>(), path);
  ConstraintGroup group;
  read_attributes(fields, path, group,
                  Overloads{[&](const Attribute<&ConstraintGroup::particles>& a) {
                              take(fields, a.key(), path, &LongList::indices, group.particles);
                            },
                            [&](const Attribute<&ConstraintGroup::rest>& a) {
                              take(fields, a.key(), path, &LongList::numbers, group.rest);
                            }});
  if (!group.particles.empty()) {
    const std::size_t tuple = fields.require("particles").list->tuple;
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
  const auto take_list = [&](const auto& a, auto list) { take(fields, a.key(), path, list, set.*a.member); };
  read_attributes(fields, path, set,
                  Overloads{[&](const Attribute<&S::positions>& a) { take_list(a, &LongList::positions); },
                            [&](const Attribute<&S::velocities>& a) { take_list(a, &LongList::points); },
                            [&](const Attribute<&S::masses>& a) { take_list(a, &LongList::numbers); },
                            [&](const Attribute<&S::fixed>& a) { take_list(a, &LongList::indices); },
                            [&](const Attribute<&S::material>&) { set.material = read_material(fields, path); },
                            [&](const Attribute<&S::constraints>& a) {
                              fields.require_list(a.key());
                              set.constraints = std::exchange(constraints_, {});
                            },
                            [&](const Attribute<&S::attachments>& a) {
                              fields.require_list(a.key());
                              set.attachments = std::exchange(attachments_, {});
                            }});
  fields.read("first_body", read_bits, placed.first_body);
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
    const auto found = referenced_body(scene, held_by[i]);
    const Path at(attachments, i);
    if (!found) fail(Path(at, "body"), missing("body before these particles", held_by[i]));
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
