// Force fields of scenes and worlds.

#include "src/c_api/lists.h"
#include "src/c_api/twins.h"

namespace cairn::c_api {
namespace {

static_assert(int{CAIRN_FIELD_KIND_COUNT} == std::variant_size_v<fields::Any>);

SceneField field_of(const cairn_field& c, const std::string& what) {
  SceneField field;
  field.law =
      make_type<fields::Any>(enum_of<std::size_t>(c.kind, CAIRN_FIELD_KIND_COUNT - 1, (what + ".kind").c_str()));
  std::visit([&](auto& law) { take(law, c, what); }, field.law);
  if (auto* law = std::get_if<fields::Springs>(&field.law)) {
    each_of<cairn_spring>(c.springs, c.spring_count, (what + ".springs").c_str(), [&](const cairn_spring& spring) {
      take(law->springs.emplace_back(), spring, what + ".springs[" + std::to_string(law->springs.size() - 1) + "]");
    });
  }
  if (c.has_bodies != 0) {
    field.bodies = list_of<std::uint32_t>(c.bodies, c.body_count, (what + ".bodies").c_str());
  } else if (c.body_count != 0) {
    throw InvalidArgument(what + ".body_count must be 0 where has_bodies is 0, is " + std::to_string(c.body_count));
  }
  return field;
}

/// Its bodies are those of the field. Without springs.
cairn_field of(const SceneField& field) {
  cairn_field c = defaults<cairn_field>();
  c.kind = static_cast<std::int32_t>(field.law.index());
  std::visit([&](const auto& law) { fill(c, law); }, field.law);
  if (const auto* law = std::get_if<fields::Springs>(&field.law)) {
    c.spring_count = static_cast<std::uint32_t>(law->springs.size());
  }
  c.has_bodies = field.bodies ? 1 : 0;
  if (field.bodies && !field.bodies->empty()) {
    c.bodies = field.bodies->data();
    c.body_count = static_cast<std::uint32_t>(field.bodies->size());
  }
  return c;
}

/// Tells how many there are, and writes them where there is room for all.
template <class C, class T, class F>
void hand_out_structs(const std::vector<T>& from, C* to, std::size_t size, std::size_t* count, const char* name,
                      const F& in_c) {
  require("count", count);
  // what is wrong with the first is reported before the count is written
  if (size != 0) size_of<C>(to, name);
  std::vector<C> all;
  for (const T& one : from) all.push_back(in_c(one));
  if (size >= all.size()) write_each<C>(to, all, name);
  *count = all.size();
}

}  // namespace

template <>
cairn_spring defaults() {
  return twin<cairn_spring>(fields::Spring{});
}

template <>
cairn_field defaults() {
  cairn_field c{};
  c.struct_size = sizeof c;
  // where kinds have a member of one name, it is as the first of them has it
  for (std::size_t k = std::variant_size_v<fields::Any>; k-- > 0;) {
    std::visit([&](const auto& law) { fill(c, law); }, make_type<fields::Any>(k));
  }
  return c;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

void cairn_spring_init(cairn_spring* spring, size_t size) { initialise(spring, size, defaults<cairn_spring>()); }
void cairn_field_init(cairn_field* field, size_t size) { initialise(field, size, defaults<cairn_field>()); }

cairn_result cairn_scene_add_field(cairn_scene* scene, const cairn_field* field, uint32_t* index) {
  return guarded([&] {
    require("scene", scene);
    const std::uint32_t at = scene->scene.add_field(field_of(read<cairn_field>(field, "cairn_field"), "cairn_field"));
    if (index != nullptr) *index = at;
  });
}

cairn_result cairn_scene_field_count(const cairn_scene* scene, uint32_t* count) {
  return guarded([&] {
    require("scene, count", scene, count);
    *count = static_cast<std::uint32_t>(scene->scene.fields().size());
  });
}

cairn_result cairn_world_fields(const cairn_world* world, uint32_t index, cairn_field* fields, size_t size,
                                size_t* count) {
  return with(world, [&](const World& w) {
    hand_out_structs(w.fields(index), fields, size, count, "fields",
                     [](const cairn::SceneField& field) { return of(field); });
  });
}

cairn_result cairn_world_springs(const cairn_world* world, uint32_t index, uint32_t field, cairn_spring* springs,
                                 size_t size, size_t* count) {
  return with(world, [&](const World& w) {
    const std::vector<cairn::SceneField>& all = w.fields(index);
    if (field >= all.size()) {
      throw cairn::InvalidArgument("field " + std::to_string(field) + ": the world has " + std::to_string(all.size()));
    }
    const auto* law = std::get_if<cairn::fields::Springs>(&all[field].law);
    if (law == nullptr) throw cairn::InvalidArgument("field " + std::to_string(field) + " must be of springs");
    hand_out_structs(law->springs, springs, size, count, "springs",
                     [](const cairn::fields::Spring& spring) { return twin<cairn_spring>(spring); });
  });
}

cairn_result cairn_world_set_fields(cairn_world* world, uint32_t index, const cairn_field* fields, size_t count) {
  return with(world, [&](World& w) {
    std::vector<cairn::SceneField> all;
    each_of<cairn_field>(fields, count, "fields", [&](const cairn_field& field) {
      all.push_back(field_of(field, "fields[" + std::to_string(all.size()) + "]"));
    });
    w.set_fields(all, index);
  });
}
