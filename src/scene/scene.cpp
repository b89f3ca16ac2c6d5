#include "cairn/scene.h"

#include <algorithm>
#include <utility>

#include "src/exec/exact_floats.h"
#include "src/exec/out_of_memory.h"
#include "src/scene/field_rules.h"
#include "src/scene/joint_rules.h"
#include "src/scene/rules.h"

namespace cairn {
namespace {

[[noreturn]] void refuse(const std::string& what, const rules::Fault& fault) {
  throw InvalidArgument(what + fault.part + ": " + fault.field + " " + fault.rule);
}

/// Name of a thing in messages: its name, or its number if it has none.
std::string title(const char* kind, const std::string& name, std::size_t index) {
  const std::string text = std::string(kind) + " ";
  return text + (name.empty() ? std::to_string(index) : "\"" + name + "\"");
}

/// Appends to a list and its index of names, or changes neither.
template <class T>
std::uint32_t append(std::vector<T>& list, std::unordered_map<std::string, std::uint32_t>& index_of, T thing) {
  const auto index = static_cast<std::uint32_t>(list.size());
  list.push_back(std::move(thing));
  try {
    if (!list.back().name.empty()) index_of.emplace(list.back().name, index);
  } catch (...) {
    list.pop_back();
    throw;
  }
  return index;
}

}  // namespace

void validate(const Material& material, const std::string& what) {
  with_heap([&] {
    if (const auto fault = rules::find_fault(material)) refuse(what, *fault);
  });
}

void validate(const Body& body, const std::vector<Material>& materials, const std::string& what) {
  with_heap([&] {
    if (const auto fault = rules::find_fault(body, materials)) refuse(what, *fault);
  });
}

void validate(const StepParams& params) {
  with_heap([&] {
    if (const auto fault = rules::find_fault(params)) refuse("solver", *fault);
  });
}

void validate(const WorldLimits& limits) {
  with_heap([&] {
    if (const auto fault = rules::find_fault(limits)) refuse("limits", *fault);
  });
}

std::uint32_t Scene::add_material(Material material) {
  return with_heap([&]() -> std::uint32_t {
    const std::string what = title("material", material.name, materials_.size());
    validate(material, what);
    if (const auto found = material_of_.find(material.name); found != material_of_.end()) {
      throw InvalidArgument(what + ": name must be unique, material " + std::to_string(found->second) + " has it too");
    }
    return append(materials_, material_of_, std::move(material));
  });
}

std::uint32_t Scene::add_body(Body body) {
  return with_heap([&]() -> std::uint32_t {
    static const std::vector<Material> kDefaultOnly{rules::default_material()};
    const std::string what = title("body", body.name, bodies_.size());
    validate(body, materials_.empty() ? kDefaultOnly : materials_, what);
    if (const auto found = body_of_.find(body.name); found != body_of_.end()) {
      throw InvalidArgument(what + ": name must be unique, body " + std::to_string(found->second) + " has it too");
    }

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
    if (const auto fault = rules::find_fault(joint, rules::place_in(*this))) refuse(what, *fault);
    if (const auto found = joint_of_.find(joint.name); found != joint_of_.end()) {
      throw InvalidArgument(what + ": name must be unique, joint " + std::to_string(found->second) + " has it too");
    }
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
    if (const auto fault = rules::find_fault(gravity)) refuse("scene", *fault);
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

std::optional<std::uint32_t> Scene::find_joint(const std::string& joint_name) const {
  return with_heap([&]() -> std::optional<std::uint32_t> {
    const auto found = joint_of_.find(joint_name);
    if (found == joint_of_.end()) return std::nullopt;
    return found->second;
  });
}

std::optional<std::uint32_t> Scene::find_body(const std::string& body_name) const {
  return with_heap([&]() -> std::optional<std::uint32_t> {
    const auto found = body_of_.find(body_name);
    if (found == body_of_.end()) return std::nullopt;
    return found->second;
  });
}

}  // namespace cairn
