#include "cairn/scene.h"

#include <algorithm>
#include <utility>

#include "src/exec/exact_floats.h"
#include "src/exec/out_of_memory.h"
#include "src/scene/camera_rules.h"
#include "src/scene/field_rules.h"
#include "src/scene/joint_rules.h"
#include "src/scene/link_bodies.h"
#include "src/scene/particle_rules.h"
#include "src/scene/text.h"

namespace cairn {
namespace {

/// Name of a thing in messages: its name, or its number if it has none.
std::string title(const char* kind, const std::string& name, std::size_t index) {
  const std::string text = std::string(kind) + " ";
  return text + (name.empty() ? std::to_string(index) : "\"" + name + "\"");
}

using Names = std::unordered_map<std::string, std::uint32_t>;

std::optional<std::uint32_t> index_in(const Names& names, const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

void refuse_taken(const std::optional<std::uint32_t>& index, const std::string& what, const char* kind) {
  if (!index) return;
  throw InvalidArgument(what + ": name must be unique, " + kind + " " + std::to_string(*index) + " has it too");
}

template <class T>
const std::string& name_of(const T& thing) {
  if constexpr (requires { thing.description; }) {
    return thing.description.name;
  } else {
    return thing.name;
  }
}

/// Appends to a list and its index of names, or changes neither.
template <class T>
std::uint32_t append(std::vector<T>& list, Names& index_of, T thing) {
  const auto index = static_cast<std::uint32_t>(list.size());
  list.push_back(std::move(thing));
  try {
    if (!name_of(list.back()).empty()) index_of.emplace(name_of(list.back()), index);
  } catch (...) {
    list.pop_back();
    throw;
  }
  return index;
}

template <class... T>
void check(const std::string& what, const T&... of) {
  with_heap([&] { rules::refuse(what, rules::find_fault(of...)); });
}

}  // namespace

void validate(const Material& material, const std::string& what) { check(what, material); }
void validate(const Body& body, const std::vector<Material>& materials, const std::string& what) {
  check(what, body, materials);
}
void validate(const StepParams& params) { check("solver", params); }
void validate(const WorldLimits& limits) { check("limits", limits); }

std::uint32_t Scene::add_material(Material material) {
  return with_heap([&]() -> std::uint32_t {
    const std::string what = title("material", material.name, materials_.size());
    validate(material, what);
    refuse_taken(index_in(material_of_, material.name), what, "material");
    return append(materials_, material_of_, std::move(material));
  });
}

std::uint32_t Scene::add_body(Body body) {
  return with_heap([&]() -> std::uint32_t {
    static const std::vector<Material> kDefaultOnly{rules::default_material()};
    const std::string what = title("body", body.name, bodies_.size());
    validate(body, materials_.empty() ? kDefaultOnly : materials_, what);
    refuse_taken(index_in(body_of_, body.name), what, "body");

    const std::uint32_t index = append(bodies_, body_of_, rules::made_unit(std::move(body)));
    if (materials_.empty()) {
      try {
        append(materials_, material_of_, rules::default_material());
      } catch (...) {
        body_of_.erase(bodies_.back().name);
        bodies_.pop_back();
        throw;
      }
    }
    return index;
  });
}

std::uint32_t Scene::add_joint(Joint joint) {
  return with_heap([&]() -> std::uint32_t {
    const std::string what = title("joint", joint.name, joints_.size());
    check(what, joint, rules::place_in(*this));
    refuse_taken(index_in(joint_of_, joint.name), what, "joint");
    return append(joints_, joint_of_, rules::made_unit(std::move(joint)));
  });
}

std::uint32_t Scene::add_field(SceneField field) {
  return with_heap([&]() -> std::uint32_t {
    rules::refuse_more_fields(fields_.size() + 1);
    SceneField taken = rules::sorted(std::move(field));
    rules::refuse_faults(taken, fields_.size(), rules::field_place_in(*this));
    fields_.push_back(std::move(taken));
    return static_cast<std::uint32_t>(fields_.size() - 1);
  });
}

std::uint32_t Scene::add_articulation(Articulation articulation, ArticulationState start) {
  return with_heap([&]() -> std::uint32_t {
    const std::string what = "articulation \"" + articulation.name + "\"";
    LinkBodies links = bodies_of_links(std::move(articulation), std::move(start));
    SceneArticulation& added = links.made;
    refuse_taken(find_articulation(added.description.name), what, "articulation");
    const Mark before = mark();
    const auto first = static_cast<std::uint32_t>(bodies_.size());
    try {
      for (Body& body : links.bodies) add_body(std::move(body));
      for (const BodyPair& pair : links.ignored) ignore(first + pair.a, first + pair.b);
      for (std::uint32_t& body : added.bodies) body = body == kNoLinkBody ? body : first + body;
      return append(articulations_, articulation_of_, std::move(added));
    } catch (...) {
      go_back(before);
      throw;
    }
  });
}

std::uint32_t Scene::add_particles(ParticleSet set) {
  return with_heap([&]() -> std::uint32_t {
    const std::string what = "particles \"" + set.name + "\"";
    check(what, set);
    if (find_particles(set.name)) throw InvalidArgument(what + ": name must be unique, others have it too");
    for (const SceneParticles& other : particles_) rules::refuse_other_spacing(set, other.description);
    for (std::size_t i = 0; i < set.attachments.size(); ++i) {
      const std::string which = what + ", attachment " + std::to_string(i) + ": body ";
      const std::uint32_t body = set.attachments[i].body;
      if (body >= bodies_.size()) throw InvalidArgument(which + rules::index_rule(body, bodies_.size(), "a body"));
      for (const SceneArticulation& of : articulations_) {
        if (std::ranges::find(of.bodies, body) == of.bodies.end()) continue;
        throw InvalidArgument(which + "must not be a link of an articulation, is \"" + bodies_[body].name + "\"");
      }
    }

    const Mark before = mark();
    const auto first = static_cast<std::uint32_t>(bodies_.size());
    try {
      for (Body& body : bodies_of_particles(set)) add_body(std::move(body));
      for (const BodyPair& pair : pairs_of_particles(set, first)) ignore(pair.a, pair.b);
      return append(particles_, particles_of_, SceneParticles{std::move(set), first});
    } catch (...) {
      go_back(before);
      throw;
    }
  });
}

std::uint32_t Scene::add_camera(SceneCamera camera) {
  return with_heap([&]() -> std::uint32_t {
    const std::string what = "camera \"" + camera.name + "\"";
    check(what, camera, bodies_.size());
    refuse_taken(find_camera(camera.name), what, "camera");
    if (cameras_.size() == rules::kMaxCameras)
      throw InvalidArgument(what + ": there are " + std::to_string(rules::kMaxCameras) +
                            " cameras, which are the most");
    cameras_.push_back(std::move(camera));
    return static_cast<std::uint32_t>(cameras_.size() - 1);
  });
}

void Scene::ignore(std::uint32_t body_a, std::uint32_t body_b) {
  with_heap([&] {
    const BodyPair pair{std::min(body_a, body_b), std::max(body_a, body_b)};
    if (pair.b >= bodies_.size()) {
      throw InvalidArgument("ignore: there is no body " + std::to_string(pair.b) + ", there are " +
                            std::to_string(bodies_.size()));
    }
    if (pair.a == pair.b) {
      throw InvalidArgument("ignore: a body can't ignore itself: " + title("body", bodies_[pair.a].name, pair.a));
    }
    const std::uint64_t key = std::uint64_t{pair.a} << 32 | pair.b;
    if (is_ignored_.contains(key)) return;
    ignored_.push_back(pair);
    try {
      is_ignored_.insert(key);
    } catch (...) {
      ignored_.pop_back();
      throw;
    }
  });
}

void Scene::go_back(const Mark& mark) {
  with_heap([&] {
    for (; ignored_.size() > mark.ignored; ignored_.pop_back()) {
      is_ignored_.erase(std::uint64_t{ignored_.back().a} << 32 | ignored_.back().b);
    }
    for (; bodies_.size() > mark.bodies; bodies_.pop_back()) body_of_.erase(bodies_.back().name);
    for (; materials_.size() > mark.materials; materials_.pop_back()) material_of_.erase(materials_.back().name);
  });
}

void Scene::set_gravity(Vec3 gravity) {
  with_heap([&] {
    check("scene", gravity);
    gravity_ = gravity;
  });
}

void Scene::set_params(const StepParams& params) {
  with_heap([&] {
    validate(params);
    params_ = params;
  });
}

void Scene::set_limits(const WorldLimits& limits) {
  with_heap([&] {
    validate(limits);
    limits_ = limits;
  });
}

std::optional<std::uint32_t> Scene::find_body(const std::string& body_name) const {
  return index_in(body_of_, body_name);
}
std::optional<std::uint32_t> Scene::find_joint(const std::string& joint_name) const {
  return index_in(joint_of_, joint_name);
}
std::optional<std::uint32_t> Scene::find_articulation(const std::string& articulation_name) const {
  return index_in(articulation_of_, articulation_name);
}
std::optional<std::uint32_t> Scene::find_particles(const std::string& set_name) const {
  return index_in(particles_of_, set_name);
}
std::optional<std::uint32_t> Scene::find_camera(const std::string& camera_name) const {
  const auto found = std::ranges::find(cameras_, camera_name, &SceneCamera::name);
  if (found == cameras_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - cameras_.begin());
}

}  // namespace cairn
